"""What must hold of the docs' pages and of the site made from them."""

import html.parser
import re
import urllib.parse
from pathlib import Path

from common.base.command_line import ROOT

TUTORIAL_WORDS = range(1200, 2501)
# A measured number looks like one of these; in a page it comes from a recorded result or a named paper.
MEASURED = re.compile(r"\d[\d.,]*\s?(?:[GT]FLOP/s|gigaflops|ms\b|µs\b|GB/s|GHz\b|interactions/s|%|bodies/s)")
MACRO = re.compile(r"\{\{.+?\}\}")
LINK = re.compile(r"\]\([^)]*\)")
# Doxygen would show the title of the page, or "mainpage": no part of a sentence.
TITLED = re.compile(r"\\ref ([a-z]\w*)(?! \")\b")
BOLD_CODE = re.compile(r"\*\*`[^`]*`\*\*")  # of which Doxygen 1.9 shows the stars
WRITTEN = re.compile(r"<!-- (\w+): begin \(written by .*?<!-- \1: end -->", re.DOTALL)  # from a recorded result


def pages():
    return sorted((ROOT / "docs" / "pages").glob("*.md"))


def words(text):
    """How many a reader sees: no markup, no formulas, one for a number."""
    text = re.sub(r"\\f\[.*?\\f\]", " ", text, flags=re.DOTALL)
    text = re.sub(r"^\\(subpage|page).*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\{\{(figure|diagram|widget|image) [^:]*:([^}]*)\}\}", r"\2", text)
    text = re.sub(r"^\{\{.*\}\}$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\\ref \w+", " ", text)
    text = re.sub(r"</?(details|summary|code|sup|sub)>", " ", text)
    text = MACRO.sub("1", re.sub(r"\\f\$.*?\\f\$", "x", text))
    return len(re.findall(r"[A-Za-z0-9][\w'./-]*", re.sub(r"\]\([^)]*\)", "]", text)))


def source_problems():
    """Of docs/pages: pasted code, typed numbers, links without words, bold code, tutorials too short or too long."""
    problems = []
    for page in pages():
        text = WRITTEN.sub(lambda section: "\n" * section[0].count("\n"), page.read_text())
        name = f"docs/pages/{page.name}"
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith(("```", "~~~")):
                fenced = not fenced
                if fenced and line.strip("`~") != "{.sh}":
                    problems.append(f"{name}:{number}: only commands are fenced, {{.sh}}; code comes by {{{{quote}}}}")
            elif line.startswith(("\\code", "@code", "\\verbatim")) or (line.startswith("    ") and not fenced):
                problems.append(f"{name}:{number}: code comes by {{{{quote}}}}")
            typed = MEASURED.search(LINK.sub("", MACRO.sub("", line)))
            if typed and not fenced:
                problems.append(f"{name}:{number}: '{typed[0]}' is typed; take it from a recorded result, or name the "
                                "paper that has it")
            if BOLD_CODE.search(line):
                problems.append(f"{name}:{number}: code cannot be bold too")
            if titled := TITLED.search(line):
                problems.append(f"{name}:{number}: \\ref {titled[1]} needs words of its own, in quotes behind it")
        if re.match(r"\d\d_", page.name) and words(text) not in TUTORIAL_WORDS:
            problems.append(f"{name}: {words(text)} words, a tutorial has 1,200 to 2,500")
    return problems


class Links(html.parser.HTMLParser):
    """The links of a page, and the names that links can lead to."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.update(value for key, value in attributes if key in ("id", "name") and value)
        if tag != "link":
            self.targets += [value for key, value in attributes if key in ("href", "src", "data") and value]


def broken_links(folder):
    """Links and pictures of the site's pages that lead nowhere."""
    read = {path.resolve(): Links(path.read_text()) for path in Path(folder).glob("*.html")}
    problems = []
    for path, links in read.items():
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or target.startswith(("//", "javascript:")):
                continue
            place = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            # Doxygen links to the heading "nested-classes" where all that it would list is private.
            if not place.exists():
                problems.append(f"{path.name}: {target} is not there")
            elif (parts.fragment not in ("", "nested-classes") and place in read
                  and parts.fragment not in read[place].names):
                problems.append(f"{path.name}: {target}: no such place on that page")
    return sorted(set(problems))
