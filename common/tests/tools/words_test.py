"""The words of the pages and READMEs: the suite's own have entries in the glossary, coined ones do not come back."""

import re
import unittest

from common.base.command_line import ROOT

# Special words that the pages keep, or that they use with a special meaning.
OWN = ["block-space map", "body", "chunk", "corpus", "exchange", "executor", "fiber", "FMA ceiling", "gap", "group",
       "improvement factor", "interaction", "issue slot", "iteration", "judge", "key", "ladder", "mutant",
       "opening criterion", "poisoned", "pull", "reaction", "record", "root", "scene", "segment", "share", "slot",
       "source", "starter", "step", "submission", "team", "tight box", "turn", "visitors"]
# Senses that these words once had here: what to say, and how such a sentence looks. Other uses of the words are fine.
COINED = {
    "iteration, not turn": r"\b(?:an?|each|every|next|one|of the|last|this|per|after|\d+) turns?\b(?! round)",
    "bodies in a thread, not held": r"\bbod(?:y|ies) held\b(?! in registers)|\bheld bod(?:y|ies)\b",
    "stride, not apart": r"(?:\b(?:bodies|elements|sources|words|floats|threads)|`) apart\b",
    "differ, not apart": r"\b(?:stay|come)s? apart\b|= \d+ apart\b",
    "compared with, not held against": r"\bh[eo]ld(?:s|ing)? (?:[\w',]+ ){0,5}against\b",
    "index, not slot": r"\b(?:tile|cell|child|parent|leaf|array|memory|buffer)(?:'s)? slots?\b|\b(?:its|whose) slots?\b"
                       r"|\bslots? (?:of|in) (?:an?|the) (?:tile|cell|child|leaf|array|buffer)\b",
    "submission, not hand-in": r"\bhand-ins?\b",
}
STEP_08 = re.compile(r"08_|^#+ 8\.\d")  # has turns: the glossary says what they are
CODE = re.compile(r"\{\{.+?\}\}|`[^`\n]*`|\\f\[.*?\\f\]|\\f\$.*?\\f\$", re.DOTALL)


def texts(root):
    """Path and text of all that is read as prose: pages, READMEs and the steps' other pages, exercises."""
    patterns = ("README.md", "docs/*.md", "docs/pages/*.md", "docs/course/*.md", "[0-9][0-9]_*/*.md", "[0-9][0-9]_*/*/*.md")
    return {path: path.read_text() for pattern in patterns for path in sorted(root.glob(pattern))}


def entries(glossary):
    """The words that a glossary explains."""
    rows = re.findall(r"^\| (.+?) \|", glossary, re.MULTILINE)[2:]  # without the heading
    return [word for row in rows for word in re.sub("^the ", "", row).split(", ")]


def coined(root):
    """"file:line: words" of each sentence with a coined word."""
    problems = []
    for path, text in texts(root).items():
        heading = ""
        for number, line in enumerate(text.splitlines(), 1):
            heading = line if line.startswith("#") else heading
            if path.name == "glossary.md" or (line.startswith("|") and STEP_08.search(line)):
                continue
            line = CODE.sub("`", line)
            problems += [f"{path.relative_to(root)}:{number}: {better}: '{found[0]}'" for better, pattern in COINED.items()
                         if (found := re.search(pattern, line, re.IGNORECASE))
                         and not ("turn" in better and any(map(STEP_08.search, (str(path.relative_to(root)), heading))))]
    return problems


def unused(root):
    """Entries of the glossary that no other text has, in singular or plural."""
    text = " ".join(" ".join(text.split()) for path, text in texts(root).items() if path.name != "glossary.md")
    words = entries((root / "docs/pages/glossary.md").read_text())
    return [word for word in words if not re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)]


class TheSuite(unittest.TestCase):
    def test_its_own_words_are_in_the_glossary(self):
        explained = entries((ROOT / "docs/pages/glossary.md").read_text())
        self.assertEqual([word for word in OWN if word not in explained], [])
        self.assertEqual(sorted({word for word in explained if explained.count(word) > 1}), [])

    def test_no_coined_word_comes_back(self):
        self.assertEqual(coined(ROOT), [])

    def test_what_the_glossary_explains_is_used(self):
        self.assertEqual(unused(ROOT), [])
