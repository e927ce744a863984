"""Checks of the docs' pages and of the site made from them."""

import html
import re
import urllib.parse
from pathlib import Path

from common.base.command_line import ROOT, shown_path
from common.tools.docs.pages import MACRO, SOURCES
from common.tools.docs.results import BadQuery

# A measured number looks like one of these. In a page it must come from a recorded result or a named paper.
MEASURED = re.compile(r"\d(?:[\d.,]*\d)?\s?(?:[GT]FLOP/s|gigaflops|ms\b|[µu]s\b|[GT]B/s|GHz\b|interactions/s|%|bodies/s|pJ\b)"
                      r"|\d\.\d+ times|\b\d\.\d+e-0?\d\b")
# In a file that is read unchanged: a number and the query of the recorded result that gives it, which readers do not see:
# 87%<!--= ladder 02 262144 predicted_share |.0% -->. Instead of a query, "map 5" names the section of a paper (SOURCES), and
# "chosen" a rule that nobody measured.
BACKED = re.compile(r"(-?\d[\d.,]*(?:e-?\d+)?%?)<!--= (.+?) -->")
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\]\([^)]*\)")
# Doxygen would show the title of the page, or "mainpage", which fits a table's cell but not a sentence.
TITLED = re.compile(r"(?<!\| )\\ref ([a-z]\w*)(?! \")\b")
BOLD_CODE = re.compile(r"\*\*`[^`]*`\*\*")  # Doxygen 1.9 shows its stars, as it shows the tags of code in a heading
TARGET = re.compile(r'<(?!link\b)\w+\s[^>]*?\b(?:href|src|data)="([^"]+)"')
NAME = re.compile(r'<\w+\s[^>]*?\b(?:id|name)="([^"]+)"')
WRITTEN = re.compile(r"<!-- (\w+): begin \(written by .*?<!-- \1: end -->", re.DOTALL)  # from a recorded result


def pages():
    return sorted((ROOT / "docs" / "pages").glob("*.md"))


def words(text):
    """Returns how many words a reader sees: no markup, no formulas, one for a number."""
    text = re.sub(r"\\f\[.*?\\f\]", " ", text, flags=re.DOTALL)
    text = re.sub(r"^\\page.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\{\{(figure|diagram|widget|image) [^:]*:([^}]*)\}\}", r"\2", text)
    text = re.sub(r"^\{\{.*\}\}$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\\ref \w+", " ", text)
    text = re.sub(r"</?(details|summary|code|sup|sub)>", " ", text)
    text = MACRO.sub("1", re.sub(r"\\f\$.*?\\f\$", "x", text))
    return len(re.findall(r"[A-Za-z0-9][\w'./-]*", re.sub(r"\]\([^)]*\)", "]", text)))


def texts():
    """Returns every Markdown file of the suite that people write."""
    folders = [*ROOT.glob("[0-9][0-9]_*"), ROOT / "common", ROOT / "docs"]
    found = [ROOT / "README.md", *(path for folder in folders for path in folder.rglob("*.md"))]
    return sorted(found)


def is_query(words):
    return words.split()[0] not in ("chosen", *SOURCES)


def backed_again(text, results):
    """Returns the text with its numbers as their queries give them."""
    return BACKED.sub(lambda found: f"{results.text(found[2])}<!--= {found[2]} -->" if is_query(found[2]) else found[0], text)


def number_problems(results):
    """Returns typed numbers that a record or a paper could give, and numbers that differ from their record."""
    problems = []
    for page in texts():
        name = shown_path(page)
        text = WRITTEN.sub(lambda section: "\n" * section[0].count("\n"), page.read_text())
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            fenced ^= line.startswith(("```", "~~~"))
            for shown, query in BACKED.findall(line):
                if not is_query(query):
                    continue
                try:
                    recorded = results.text(query)
                except BadQuery as error:
                    recorded = str(error)
                if shown != recorded:
                    problems.append(f"{name}:{number}: '{shown}' is recorded as {recorded}")
            plain = CODE.sub("", LINK.sub("", MACRO.sub("", BACKED.sub("", line))))
            if (typed := MEASURED.search(plain)) and not fenced:
                problems.append(f"{name}:{number}: '{typed[0]}' is typed; take it from a recorded result, or name the paper that "
                                "has it")
    return problems


def source_problems():
    """Returns problems of docs/pages: pasted code, links without words, bold code, code in headings."""
    problems = []
    for page in pages():
        text = page.read_text()
        name = f"docs/pages/{page.name}"
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith(("```", "~~~")):
                fenced = not fenced
                if fenced and line.strip("`~") != "{.sh}":
                    problems.append(f"{name}:{number}: only commands are fenced, {{.sh}}; code comes by {{{{quote}}}}")
            elif line.startswith(("\\code", "@code", "\\verbatim")) or (line.startswith("    ") and not fenced):
                problems.append(f"{name}:{number}: code comes by {{{{quote}}}}")
            if BOLD_CODE.search(line):
                problems.append(f"{name}:{number}: code cannot be bold too")
            if not fenced and line.startswith("#") and "`" in line:
                problems.append(f"{name}:{number}: a heading cannot have code")
            if titled := TITLED.search(line):
                problems.append(f"{name}:{number}: \\ref {titled[1]} needs a text in quotes behind it")
    return problems


def broken_links(folder):
    """Returns links and pictures of the site's pages that lead nowhere."""
    texts = {path.resolve(): path.read_text() for path in Path(folder).glob("*.html")}
    names = {path: set(NAME.findall(text)) for path, text in texts.items()}
    problems = set()
    for path, text in texts.items():
        for target in map(html.unescape, TARGET.findall(text)):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            place = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not place.exists():
                problems.add(f"{path.name}: {target} is not there")
            # Doxygen links to the heading "nested-classes" even if everything in that list is private.
            elif parts.fragment not in ("", "nested-classes") and parts.fragment not in names.get(place, [parts.fragment]):
                problems.add(f"{path.name}: {target}: no such place on that page")
    return sorted(problems)
