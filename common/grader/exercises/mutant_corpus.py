"""The corpus of wrong kernels and wrong programs, common/tests/mutants/*.patch: what each says of itself, and what it makes.

A patch has a header of "Name: value" lines, then a unified diff of files of one step's folder, forces.cu or what it is
made with; or of one whole program, 01_naive/standalone.cu or one of common/tests/mutants/programs, with a mistake in its host code:

    Kind        what sort of mistake; CI runs one mutant of each
    Mistake     what happens, in a sentence
    Checker     words of the report of `./run mutants`' checker that must name it, or
    Validation  words of the hint under the failed check that must; " | " between those of different compilers
    Arguments   of the step's program, added to those of every run
    Bodies      how many, more than one run where several; 1000 513 257 unless given
    Line        of a whole program: words of a line that the report must name; a mistake has more than one where it has
                two sides
    Ranks       how many processes mpirun starts, of a step that has several
    Gap         what is said instead, as long as nothing names the mistake: it is run and shown, and does not fail

And the corpus of right kernels, common/tests/mutants/right/*.patch, of which nothing may be reported and which score full:

    Unusual     what is unlike the step, in a sentence
    Arguments   as above
"""

import dataclasses
import re
import shlex

from common.base.command_line import ROOT
from common.grader.exercises.patches import BadFile, Patch

FOLDER = ROOT / "common" / "tests" / "mutants"
FIELDS = {"Kind", "Mistake", "Checker", "Validation", "Arguments", "Bodies", "Line", "Ranks", "Gap"}
# Several tiles and a ragged last one.
BODIES = "1000 513 257"


def header_fields(owner, text, known, lists=()):
    """The values of "Name: value" lines by name: one of each, any number of those in `lists`."""
    fields = {name: [] for name in lists}
    for line in text.strip().splitlines():
        name, _, value = line.partition(": ")
        if name not in known or not value or (name in fields and name not in lists):
            raise BadFile(f"{owner}: not a line of its header: {line}")
        fields[name] = [*fields[name], value] if name in lists else value
    return fields


@dataclasses.dataclass(frozen=True)
class Mutant(Patch):
    """A step, or a whole program, with a mistake in it."""

    kind: str
    mistake: str
    tool: str  # which must name it, "checker" or "validation"
    words: str  # that it must use
    arguments: tuple
    bodies: tuple
    lines: tuple  # words of those that the report must name
    gap: str  # what is said instead, where the mistake is not named yet
    ranks: int = 0  # processes that mpirun starts; 0: it runs alone

    @property
    def whole_program(self):
        """The whole program that it changes, from the suite's root; None of a step's."""
        return f"{self.step}/{next(iter(self.originals()))}" if self.lines else None

    def places(self):
        """FILE:LINE of each of `lines`, with the file's folder, as a report has it."""
        text, = self.sources().values()
        for words in self.lines:
            if text.count(words) != 1:
                raise BadFile(f"{self.name}: '{words}' is there {text.count(words)} times, not once")
        file = "/".join(self.whole_program.split("/")[-2:])
        return [f"{file}:{text[:text.index(words)].count(chr(10)) + 1}" for words in self.lines]

    @property
    def program(self):
        """The program that shows the mistake: the step's own, or its tuned one."""
        return f"{self.step[:2]}_tuned" if "tuned.cuh" in dict(self.hunks()) else self.step


def fields_and_diff(name, text, known, lists=()):
    head = re.split(r"^(?:diff --git|---) a/", text, maxsplit=1, flags=re.MULTILINE)[0]
    return header_fields(name, head, known, lists), text[len(head):]


def parse(name, text):
    fields, diff = fields_and_diff(name, text, FIELDS, {"Line"})
    tools = [tool for tool in ("Checker", "Validation") if tool in fields]
    if not {"Kind", "Mistake"} <= fields.keys() or len(tools) != 1:
        raise BadFile(f"{name}: the header needs Kind, Mistake and one of Checker and Validation")
    return Mutant(name=name, kind=fields["Kind"], mistake=fields["Mistake"], tool=tools[0].lower(),
                  words=fields[tools[0]], arguments=tuple(shlex.split(fields.get("Arguments", ""))),
                  bodies=tuple(map(int, fields.get("Bodies", BODIES).split())), lines=tuple(fields["Line"]),
                  gap=fields.get("Gap", ""), ranks=int(fields.get("Ranks", 0)), diff=diff)


@dataclasses.dataclass(frozen=True)
class RightKernel(Patch):
    """A step that is written otherwise, and is right."""

    unusual: str
    arguments: tuple


def parse_right(name, text):
    fields, diff = fields_and_diff(name, text, {"Unusual", "Arguments"})
    if "Unusual" not in fields:
        raise BadFile(f"{name}: the header needs Unusual")
    return RightKernel(name, diff, fields["Unusual"], tuple(shlex.split(fields.get("Arguments", ""))))


def right_kernels(folder=FOLDER / "right"):
    return [parse_right(path.stem, path.read_text()) for path in sorted(folder.glob("*.patch"))]


def mutant(name, folder=FOLDER):
    return parse(name, (folder / f"{name}.patch").read_text())


def corpus(folder=FOLDER):
    return [mutant(path.stem, folder) for path in sorted(folder.glob("*.patch"))]


def one_of_each_kind(found):
    """The first mutant, or exercise, of each kind."""
    first = {}
    for one in found:
        if getattr(one, "gap", ""):
            continue
        first.setdefault(one.kind, one)
    return list(first.values())
