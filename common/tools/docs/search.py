"""What the site's search looks in: the sections of the pages, read from their HTML, and the names of the reference.

Both are scripts, for a page that is opened as a file may load no JSON. docs/theme/search.js loads them when needed.
"""

import html.parser
import json
import re

from common.tools.docs.contents import address

# Text that is left out: scripts, drawings, links to other pages, diffs, formulas, tables of contents, boxes that pop up, commits.
SKIPPED_TAGS = {"script", "style", "svg", "noscript", "nav"}
SKIPPED_CLASSES = {"ttc", "toc", "diff", "formulaDsp", "navpath", "stamp"}
BLOCKS = {"p", "li", "td", "th", "tr", "div", "h1", "h2", "h3", "pre", "dt", "dd", "figcaption", "summary", "br"}
HEADINGS = {"h1", "h2", "h3"}
CONCEPTS = {"class", "struct", "union", "namespace"}


class Sections(html.parser.HTMLParser):
    """A page's sections: [anchor, heading, text], the first with neither anchor nor heading; a row of a table with an anchor
    is one, whose heading is its first cell."""

    def __init__(self, text):
        super().__init__()
        self.sections = [["", "", ""]]
        self.inside = False
        self.skipped, self.depth = None, 0  # the tag that is skipped now, and how many of its name are open in it
        self.heading = self.cell = False  # whether inside of one
        self.feed(text)
        self.sections = [[anchor, plain(heading), plain(text)] for anchor, heading, text in self.sections]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = set((attributes.get("class") or "").split())
        self.inside |= "contents" in classes
        if self.skipped:
            self.depth += tag == self.skipped
        elif tag in SKIPPED_TAGS or classes & SKIPPED_CLASSES:
            self.skipped, self.depth = tag, 1
        elif tag in HEADINGS:
            self.heading = True
        elif tag == "td":
            self.cell = True
        elif (self.heading or self.cell) and "anchor" in classes:
            self.heading = True
            self.sections.append([attributes["id"], "", ""])
        if tag in BLOCKS:
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if tag == self.skipped:
            self.depth -= 1
            if self.depth == 0:
                self.skipped = None
        elif tag in HEADINGS or tag == "td":
            self.heading = self.cell = False

    def handle_data(self, data):
        if self.inside and not self.skipped:
            self.sections[-1][1 if self.heading else 2] += data


def plain(text):
    """On one line, without formulas."""
    return " ".join(re.sub(r"\\\(.*?\\\)", "…", text).split())


def pages(folder, titles):
    """The sections of all pages, in their order: page, heading, text, and the address."""
    found = []
    for page, title in titles.items():
        for anchor, heading, text in Sections((folder / address(page)).read_text()).sections:
            if heading or text:
                found.append({"page": title, "heading": heading, "text": text,
                              "address": address(page) + (f"#{anchor}" if anchor else "")})
    return found


def names(entries):
    """[name, address, where it is] of what the reference has; entries: as tags.py has them."""
    found = []
    for place, entry in entries.items():
        if "#" in place:
            found.append([entry.name, place, entry.within])
        elif entry.kind in CONCEPTS or entry.kind == "file" and not entry.name.endswith(".md"):
            found.append([entry.name, place if "." in place else f"{place}.html", entry.kind])
    return sorted(found, key=lambda row: (re.sub(r".*::", "", row[0]).lower(), row[2]))


def write(folder, titles, entries):
    for name, made in (("search_pages", pages(folder, titles)), ("search_names", names(entries))):
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.js").write_text(f"var {name}={text};\n")
