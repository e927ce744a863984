"""Patches on a step. They make a mutant, an exercise's starter, or a solution that the step does not have. The step itself is
the only complete text: it is compiled, tested and measured.
"""

import dataclasses
import difflib
import re

from common.base.command_line import ROOT, BadInput

FILE = re.compile(r"^--- a/([^/\s]+)/(\S+)\n\+\+\+ b/\1/\2\n", re.MULTILINE)
HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*$", re.MULTILINE)


def source_text(step, name):
    """The text of a step's file, or of a program of one of its exercises."""
    own = ROOT / step / name
    return (own if own.exists() else ROOT / step / "exercises" / name).read_text()


class BadFile(BadInput):
    """One line: which patch or exercise, and why it is of no use."""


@dataclasses.dataclass(frozen=True)
class Patch:
    """A change of files of one step's folder, as a unified diff; what `git diff` writes will do."""

    name: str
    diff: str

    def __post_init__(self):
        if len({step for step, _ in FILE.findall(self.diff)}) != 1:
            raise BadFile(f"{self.name}: not a diff of files of one step")

    @property
    def step(self):
        return FILE.search(self.diff)[1]

    def hunks(self):
        """Name and hunks of each file that changes."""
        _, *parts = FILE.split(self.diff)
        return zip(parts[1::3], parts[2::3])

    def originals(self):
        """The files that change, as they are in the step's folder: text by name."""
        return {name: source_text(self.step, name) for name, _ in self.hunks()}

    def sources(self, originals=None):
        """The sources with the patch."""
        changed = self.originals() if originals is None else dict(originals)
        for name, hunks in self.hunks():
            for number, hunk in enumerate(HUNK.split(hunks)[1:], 1):
                changed[name] = self.applied(name, number, hunk, changed[name])
        return changed

    def shown(self):
        """The change as a unified diff with line numbers and a line around it."""
        before, after = self.originals(), self.sources()
        return "".join(line for name in before for line in difflib.unified_diff(
            before[name].splitlines(keepends=True), after[name].splitlines(keepends=True), f"a/{self.step}/{name}",
            f"b/{self.step}/{name}", n=1))

    def applied(self, name, number, hunk, text):
        lines = hunk.lstrip("\n").splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        # Without line numbers: a change elsewhere in the file does not matter, one here is an error.
        if text.count(before) != 1:
            raise BadFile(f"{self.name}: change {number} does not apply: {self.step}/{name} has its lines "
                          f"{text.count(before)} times, not once")
        return text.replace(before, after)
