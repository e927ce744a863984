"""The order in which the pages are read, by docs/theme/layout.xml: for the sidebar, and for previous and next."""

import html
import re
import xml.etree.ElementTree

from common.base.command_line import ROOT

LAYOUT = ROOT / "docs" / "theme" / "layout.xml"
LONG = 4  # headings, from which on a page has a table of contents
HEADING = re.compile(r"(#{2,3}) (.+)")
TERM = re.compile(r"\| (?!word |---)(.+?) (\|.*)")  # a row of the glossary


class Contents:
    """The sidebar's groups of pages; without_pages are those that this site does not have."""

    def __init__(self, without_pages=()):
        self.tree = xml.etree.ElementTree.parse(LAYOUT)
        for group in self.tree.iter("tab"):
            for tab in [tab for tab in group if name_of(tab) in without_pages]:
                group.remove(tab)
        self.titles = {name_of(tab): tab.get("title") for tab in self.tree.iter("tab")
                       if tab.get("type") in ("mainpage", "user")}

    def write(self, path):
        self.tree.write(path)

    def neighbours(self, page):
        """The pages before and after this one, None at the ends; a ValueError where it has no place."""
        order = [None, *self.titles, None]
        if page not in self.titles:
            raise ValueError(f"page {page} has no place in docs/theme/layout.xml")
        place = order.index(page)
        return order[place - 1], order[place + 1]

    def foot(self, page):
        """The links to those pages, as HTML."""
        links = [f'<a rel="{way}" href="{address(other)}">{html.escape(self.titles[other])}</a>' if other
                 else "<span></span>" for way, other in zip(("prev", "next"), self.neighbours(page))]
        return f'<nav class="chain" aria-label="Previous and next page">{"".join(links)}</nav>'


def name_of(tab):
    return "mainpage" if tab.get("type") == "mainpage" else re.sub("^@ref ", "", tab.get("url") or "")


def address(page):
    return "index.html" if page == "mainpage" else f"{page}.html"


def anchor(page, words):
    return f"{page}_{re.sub(r'[^a-z0-9]+', '_', words.lower()).strip('_')}"


def with_anchors(lines, page):
    """Lines of a page whose headings, and the glossary's words, can be linked to. A long page's table of contents comes by
    its last line."""
    named, fenced, headings = [], False, 0
    for line in lines:
        fenced ^= line.startswith("```")
        heading = not fenced and HEADING.fullmatch(line)
        headings += bool(heading)
        if heading and not line.endswith("}"):
            line = f"{line} {{#{anchor(page, heading[2])}}}"
        if page == "glossary" and (term := TERM.fullmatch(line)):
            line = f"| \\anchor {anchor(page, term[1])} {term[1]} {term[2]}"
        named.append(line)
    return named + (["", "\\tableofcontents{HTML:2}"] if headings >= LONG else [])
