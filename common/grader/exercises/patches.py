"""Patches of a step. They make a mutant, an exercise's starter, or a solution that the step does not have. Only the step itself
is a complete text, which is compiled, tested and measured.
"""

import dataclasses
import difflib
import re

from common.base.command_line import ROOT, BadInput

FILE = re.compile(r"^--- a/([^/\s]+)/(\S+)\n\+\+\+ b/\1/\2\n", re.MULTILINE)
HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*$", re.MULTILINE)


def source_text(step, name):
    """Returns the text of a step's file, or of a program of one of its exercises."""
    own = ROOT / step / name
    return (own if own.exists() else ROOT / step / "exercises" / name).read_text()


class BadFile(BadInput):
    """Says in one line which patch or exercise cannot be used, and why."""


@dataclasses.dataclass(frozen=True)
class Patch:
    """A change of files of one step's folder, as a unified diff such as `git diff` writes."""

    name: str
    diff: str

    def __post_init__(self):
        if len({step for step, _ in FILE.findall(self.diff)}) != 1:
            raise BadFile(f"{self.name}: not a diff of files of one step")

    @property
    def step(self):
        return FILE.search(self.diff)[1]

    def hunks(self):
        """Returns name and hunks of each changed file."""
        _, *parts = FILE.split(self.diff)
        return zip(parts[1::3], parts[2::3])

    def originals(self):
        """Returns the changed files as they are in the step's folder: text by name."""
        return {name: source_text(self.step, name) for name, _ in self.hunks()}

    def sources(self, originals=None):
        """Returns the sources with the patch."""
        changed = self.originals() if originals is None else dict(originals)
        for name, hunks in self.hunks():
            for number, hunk in enumerate(HUNK.split(hunks)[1:], 1):
                changed[name] = self.applied(name, number, hunk, changed[name])
        return changed

    def shown(self):
        """Returns the change as a unified diff with line numbers and one line of context."""
        before, after = self.originals(), self.sources()
        return "".join(line for name in before for line in difflib.unified_diff(
            before[name].splitlines(keepends=True), after[name].splitlines(keepends=True), f"a/{self.step}/{name}",
            f"b/{self.step}/{name}", n=1))

    def applied(self, name, number, hunk, text):
        lines = hunk.lstrip("\n").splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        # Ignores line numbers: a change elsewhere in the file does not matter, but here it is an error.
        if text.count(before) != 1:
            raise BadFile(f"{self.name}: change {number} does not apply: {self.step}/{name} has its lines "
                          f"{text.count(before)} times, not once")
        return text.replace(before, after)
