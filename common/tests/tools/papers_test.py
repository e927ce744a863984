"""docs/pages/papers.md: whether its table has all that the papers number, and whether its links lead anywhere."""

import re
import unittest

from common.base.command_line import ROOT

PAGES = ROOT / "docs" / "pages"
SECTIONS = re.split(r"^## ", (PAGES / "papers.md").read_text(), flags=re.MULTILINE)[1:]
# (kind, before the number, how many) of each paper, in the page's order
NUMBERED = [
    [("figure", "31-", 8), ("listing", "31-", 3), ("footnote", "31-", 4), ("section", "31.", 8), ("section", "31.3.", 4),
     ("section", "31.4.", 2)],
    [("figure", "", 7), ("equation", "", 19), ("table", "", 1), ("section", "", 7)],
    [("figure", "", 8), ("list", "", 4), ("section", "", 4), ("section", "2.", 3), ("section", "3.", 3)],
]
ANSWERS = re.compile(r"(yes|no|partly|not tried)\b")
FILES = re.compile(r"`([\w.]+(?:/[\w.]+)+)`")


def rows(section):
    """The cells of the table of items, which is a section's first."""
    lines = section[section.index("| item |"):].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.sub(r"\{\{.*?\}\}", "1", line).strip("|").split("|")] for line in lines]


def items(section):
    """(kind, number) of each row; of "equations 10 to 12" three."""
    for item, *_ in rows(section):
        if found := re.match(r"(\w+?)s? ([\d.-]*?)(\d+)(?: to (\d+))?(?= |$)", item):
            for number in range(int(found[3]), int(found[4] or found[3]) + 1):
                yield found[1], f"{found[2]}{number}"


class ThePapers(unittest.TestCase):
    def test_all_that_they_number_has_a_row(self):
        self.assertEqual(len(SECTIONS), len(NUMBERED))
        for section, numbered in zip(SECTIONS, NUMBERED):
            needed = {(kind, f"{before}{n}") for kind, before, count in numbered for n in range(1, count + 1)}
            self.assertEqual(needed - set(items(section)), set(), section.splitlines()[0])

    def test_each_row_has_a_link_and_an_answer(self):
        for section in SECTIONS:
            for row in rows(section):
                self.assertEqual(len(row), 3, row)
                self.assertIn("\\ref ", row[1], row)
                self.assertRegex(row[2], ANSWERS, row)

    def test_links_lead_somewhere(self):
        labels = {label for page in PAGES.glob("*.md") for label in re.findall(r"\{#(\w+)\}", page.read_text())}
        text = "".join(SECTIONS)
        self.assertEqual(set(re.findall(r"\\ref (\w+)", text)) - labels, set())
        self.assertEqual([file for file in FILES.findall(text) if not (ROOT / file).exists()], [])
