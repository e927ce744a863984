"""Makes a handout of a unit's notes for teachers: the quiz without its keys, and the project with its rubric."""

import re

from common.base.command_line import ROOT, BadInput

KEY = re.compile(r"^   Key: .*\n(?:   .*\n)*", re.MULTILINE)


def units():
    """Returns the notes of each unit, by the step's number or the unit's name."""
    return {notes.stem.partition("_")[0]: notes for notes in sorted(ROOT.glob("docs/course/[!R]*.md"))}


def unit_of(task):
    """Returns the file of a unit's notes."""
    if task not in units():
        raise BadInput(f"a sheet is of a whole step or unit, one of {' '.join(units())}, not of '{task}'")
    return units()[task].stem


def section(notes, name):
    return re.search(rf"^## {name}\n.*?(?=^## |\Z)", notes, re.MULTILINE | re.DOTALL)[0]


def text(step):
    notes = (ROOT / "docs" / "course" / f"{step}.md").read_text()
    title = notes.partition("\n")[0]
    return f"{title}\n\n{KEY.sub('', section(notes, 'Quiz'))}{section(notes, 'Project')}"
