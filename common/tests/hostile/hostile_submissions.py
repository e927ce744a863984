"""The hostile submissions: entries of this folder's text files, and those that functions write. A line under [*] is the first of
each entry after it.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import shutil
import textwrap
from collections.abc import Callable
from pathlib import Path

from common.grader.exercises.files import exercise
from common.grader.exercises.mutant_corpus import diff_of, entries
from common.grader.exercises.patches import Patch
from common.tests.hostile.made_submissions import MADE, exchange_by

HERE = Path(__file__).resolve().parent
COMPILES = 3  # points
HEAD = re.compile(r"(?://.*\n)+")
OWN_HEADERS = re.compile(r"^ *#include (?!<)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Hostile:
    """The header of a submission. task: its step or exercise, by default 02; most: the most points that it may earn, by
    default those of code that compiles; trusted: points that it must earn without isolation, None if it must not run so; least: points that it must
    earn, if it is correct
    """

    name: str
    task: str
    tries: str
    stopped_by: str
    most: float
    trusted: float | None
    kind: str
    least: float
    fill: Callable  # writes its files into a folder


def headed(name, text, fill):
    """Returns the Hostile of a text that begins with `// Tries:` and so on."""
    head = re.sub(r"\n// +(?!(?:Task|Kind|Tries|Stopped by|Most|Trusted|Least): )", " ", HEAD.match(text).group())
    fields = dict(re.findall(r"// ([\w ]+): (.*)", head))
    trusted = float(fields["Trusted"]) if "Trusted" in fields else None
    least = float(fields.get("Least", 0))
    return Hostile(name, fields.get("Task", "02"), fields["Tries"], fields["Stopped by"],
                   max(float(fields.get("Most", COMPILES)), least), trusted, fields.get("Kind", ""), least, fill)


def of_entry(name, text):
    """Returns the Hostile of an entry: a forces.cu, before which honest.hpp is included if it names no header of the suite; a
    whole program; or a change of the solution of an exercise of ranks.
    """
    task = re.search(r"^// Task: (8\..*)", text, re.MULTILINE)
    if task:
        return headed(name, text, functools.partial(exchange_by, task[1], changed_exchange(name, task[1], text)))
    if name.startswith("program_"):
        return headed(name, text, lambda folder: (folder / "standalone.cu").write_text(text))
    first = "" if OWN_HEADERS.search(text) else '#include "honest.hpp"\n\n'
    return headed(name, text, lambda folder: (folder / "forces.cu").write_text(first + text))


def changed_exchange(name, task, text):
    """Returns the file of this exercise of ranks with a change, which is written like that of a mutant."""
    asked = exercise(task)
    patch = Patch(name, diff_of(name, f"{asked.step}/{asked.main}", HEAD.sub("", text, 1)))
    return patch.sources()[asked.main]


def hostile_submissions():
    kept = [of_entry(*entry) for path in HERE.glob("*.txt") for entry in entries(path)]
    made = [headed(make.__name__, textwrap.dedent(make.__doc__).lstrip(), make) for make in MADE]
    return sorted(kept, key=lambda hostile: hostile.name) + made


def written(hostile, folder, target):
    """Writes the submission into the folder, with the files that all of them include."""
    folder.mkdir()
    shutil.copy(HERE / "honest.hpp", folder)
    (folder / "target.hpp").write_text(target)
    hostile.fill(folder)
