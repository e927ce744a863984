"""A built page cut into what stands below its headings, and a paragraph into sentences."""

import html.parser
import re

SHORT = 50  # characters: such a sentence does not stand alone
VOID = {"br", "img", "hr", "input", "meta", "link"}
# The end of a sentence, with what may close behind it; a number or an abbreviation goes on in small letters or digits.
SENTENCE_END = re.compile(r"[.?!](?:\)|</\w+>)*(?=\s+(?:<\w[^>]*>)*[A-Z\\(]|\s*$)")


class Blocks(html.parser.HTMLParser):
    """The elements directly below a page's text: [tag, classes, HTML]."""

    def __init__(self, page):
        super().__init__(convert_charrefs=False)
        self.found, self.parts = [], []
        self.depth = None  # below the text; None outside of it
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        classes = (dict(attributes).get("class") or "").split()
        if self.depth is None:
            self.depth = 0 if "textblock" in classes else None
            return
        if self.depth == 0:
            self.parts, self.tag, self.classes = [], tag, classes
        self.parts.append(self.get_starttag_text())
        self.depth += tag not in VOID

    def handle_startendtag(self, tag, attributes):
        self.parts.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        if self.depth == 0:
            self.depth = None  # of the text itself; a page has one
        if self.depth is None:
            return
        self.parts.append(f"</{tag}>")
        self.depth -= tag not in VOID
        if self.depth == 0:
            self.found.append((self.tag, self.classes, "".join(self.parts)))

    def handle_data(self, data):
        self.parts.append(data)

    def handle_entityref(self, name):
        self.parts.append(f"&{name};")

    def handle_charref(self, name):
        self.parts.append(f"&#{name};")


def inner(element):
    """Its contents, without anchors."""
    return re.sub(r'<a class="anchor"[^>]*></a>', "", element[element.index(">") + 1 : element.rindex("</")]).strip()


def is_whole(text):
    """Whether no element and no formula is open at its end."""
    tags = re.findall(r"<(/?)(\w+)[^>]*?(/?)>", text)
    opened = sum(1 for closing, name, own in tags if not closing and not own and name not in VOID)
    return opened == sum(bool(closing) for closing, *_ in tags) and text.count("\\(") == text.count("\\)")


def first_sentence(text):
    """Of a paragraph, with the next where it is short; one in brackets is passed over.

    Empty where it only leads to what comes next.
    """
    begin = 0
    for end in SENTENCE_END.finditer(text):
        sentence = text[begin : end.end()].strip()
        if is_whole(sentence) and sentence.startswith("("):
            begin = end.end()
        elif is_whole(sentence) and len(re.sub(r"<[^>]*>", "", sentence)) >= SHORT:
            return sentence
    rest = text[begin:].strip()
    return "" if rest.endswith(":") or rest.startswith("(") else rest
