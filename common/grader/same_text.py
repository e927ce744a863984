"""Compares submissions with texts that students were given, and with each other."""

import functools
import itertools
import re

from common.base.command_line import ROOT
from common.grader.exercises.files import FORCES
from common.grader.loops import without_comments

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
WORDS_IN_A_ROW = 5
NEARLY = 0.9  # share of its own rows that a file has in common with another one
FEWEST = 30  # rows of its own that a file must have to be compared
MOST_CHARACTERS = 1 << 16  # of a file


def renamed(text):
    """Returns the tokens of a text without comments, in which each name is the number of its first appearance."""
    names = {}
    return tuple(names.setdefault(token, len(names)) if token[0].isalpha() or token[0] == "_" else token
                 for token in TOKEN.findall(without_comments(text[:MOST_CHARACTERS])))


@functools.lru_cache(None)
def kernels():
    """Returns renamed() forces.cu of each step, by the step's folder."""
    return {path.parent.name: renamed(path.read_text()) for path in sorted(ROOT.glob("[0-9][0-9]_*/forces.cu"))}


def handed_out(texts, step, exercise):
    """Returns what these files are if the student was given them: "this is the kernel of step 01". None if they are new. Comments and
    names may differ.
    """
    own = {name: renamed(text) for name, text in texts.items()}
    if exercise:
        starter = {name: renamed(text) for name, text in exercise.starter().items()}
        if all(own.get(name) == text for name, text in starter.items()):
            return "these are the files that were handed out, unchanged"
    others = (name for name, kernel in kernels().items() if name != step and own.get(FORCES) == kernel)
    other = next(others, None)
    return f"this is the kernel of step {other[:2]}" if other else None


def given_texts(step, exercise):
    """Returns the texts that each student has: the kernels of the steps before, and the starter."""
    before = {path.parent.name: path.read_text() for path in ROOT.glob("[0-9][0-9]_*/forces.cu") if path.parent.name < step}
    return {**before, **(exercise.starter() if exercise else {})}


def rows(text):
    """Returns the rows of neighbouring words of a text, with its comments."""
    words = TOKEN.findall(text[:MOST_CHARACTERS])
    return {tuple(words[n:n + WORDS_IN_A_ROW]) for n in range(len(words) - WORDS_IN_A_ROW + 1)}


def nearly_equal(files, given):
    """Returns [(owners, "equal except for names and comments" or "93% equal")] of submissions, each with the nearest other one. files,
    given: texts by owner; what is in a given text does not count
    """
    known = set().union(*map(rows, given.values()))
    known_kernels = set(map(renamed, given.values()))
    own, kernels_of = {}, {}
    for name, text in sorted(files.items()):
        kernel = renamed(text)
        if kernel not in known_kernels:
            own.setdefault(kernel, (name, rows(text) - known))  # one of each kernel is compared with the others
            kernels_of.setdefault(kernel, []).append(name)
    found = [(names, "equal" if len({files[name] for name in names}) == 1 else "equal except for names and comments")
             for names in kernels_of.values() if len(names) > 1]
    near = []
    for (one, left), (other, right) in itertools.combinations(own.values(), 2):
        share = len(left & right) / max(len(left | right), 1)
        if share >= NEARLY and min(len(left), len(right)) >= FEWEST:
            near.append((share, [one, other], f"{share:.0%} equal"))
    shown = set()
    for _, names, how in sorted(near, reverse=True):
        if not shown.issuperset(names):
            shown.update(names)
            found.append((names, how))
    return found
