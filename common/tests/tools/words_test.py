"""The words of pages, READMEs, comments and messages: the glossary has the suite's own, and coined ones do not come back."""

import re
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.tools.docs.check import COMMENT

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
# Turns of phrase that comments, docstrings, help texts and messages avoid: what to write, and how such a place looks.
AVOIDED = {
    "everyday words": r"\b(?:moreover|anew|lest|thereby|wherein|whereof|of which|to whom|whoever)\b",
    "because": r", for (?:an?|the|it|they|each|another|its|then|there|no|those|one)\b",
    "except": r"\bbut (?:for|by)\b",
    "instead of": r"\bin place of\b",
    "next to; its own": r"\b(?:beside|of its own|of their own|just so|as ever)\b",
    "correct": r"\bright (?:kernel|forces|program|submission|answer)s?\b",
    "per": r"\b(?:FLOP|ms|pJ|slots|barriers|loads) an? (?:interaction|pair|step|tile|body)\b",
    "begin with a verb or a noun": r'^(?:"""|//|#)\W*(?:Of|As|Those|Which|Whose|The same|What|Where|By|But)\b',
    "two sentences": r"\b(?:what|where) (?:is|are|was|nothing|nobody|no)\b.*\b(?:of|that)\b.*\b(?:of|that)\b",
}
PROSE = re.compile(r'"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*"|' + COMMENT.pattern)
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


def avoided(root):
    """"file:line: words" of each comment, docstring or text in the code with such a turn of phrase."""
    found = []
    for path in (path for folder in ("common", "docs/[dtw]*", "[0-9]*") for path in root.glob(f"{folder}/**/*")):
        if path.suffix in (".hpp", ".cuh", ".cu", ".cpp", ".py", ".js", ".sh", ".cmake") and path != Path(__file__):
            text = path.read_text()
            found += [f"{path.relative_to(root)}:{text.count(chr(10), 0, place.start()) + 1}: {better}: {words[0]}"
                      for place in PROSE.finditer(text) for better, pattern in AVOIDED.items()
                      if (words := re.search(pattern, place[0]))]
    return found


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

    def test_comments_and_messages_are_in_plain_words(self):
        self.assertEqual(avoided(ROOT), [])

    def test_what_the_glossary_explains_is_used(self):
        self.assertEqual(unused(ROOT), [])
