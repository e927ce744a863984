"""Makes a handout of a unit's notes for teachers: the quiz without its keys, and the project with its rubric."""

import re

from common.base.command_line import ROOT, BadInput

KEY = re.compile(r"^   Key: .*\n(?:   .*\n)*", re.MULTILINE)


def unit_of(task):
    """The step of a unit, by its number."""
    units = {notes.name[:2]: notes.stem for notes in sorted(ROOT.glob("docs/course/[0-9][0-9]_*.md"))}
    if task not in units:
        raise BadInput(f"a sheet is of a whole step, one of {' '.join(units)}, not of '{task}'")
    return units[task]


def section(notes, name):
    return re.search(rf"^## {name}\n.*?(?=^## |\Z)", notes, re.MULTILINE | re.DOTALL)[0]


def text(step):
    notes = (ROOT / "docs" / "course" / f"{step}.md").read_text()
    title = notes.partition("\n")[0]
    return f"{title}\n\n{KEY.sub('', section(notes, 'Quiz'))}{section(notes, 'Project')}"
