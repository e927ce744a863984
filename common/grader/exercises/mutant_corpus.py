"""The corpus of wrong kernels and wrong programs: facts about each, and its change.

The file mutants.txt in a step's folder has the mutants of the step, common/grader/mutants/programs.txt those of whole programs: 01_naive/standalone.cu or one of mutants/programs,
with a mistake in its host code. A mutant begins with its name in brackets. "name = value" lines follow:

    file        the whole program that is changed; default: the step's forces.cu
    kind        kind of mistake
    mistake     what happens, in a sentence
    checker     words of the checker's report that must name the mistake (`./run test --mutants`), or
    validation  words of the failed check's hint that must name it; " | " separates those of different compilers
    arguments   added to the program's arguments in every run
    bodies      numbers of bodies, one run each; default: 1000 513 257
    program     program that shows the mistake; default: the step's own, or the tuned one for a change of tuned.cuh
    line        for a whole program: words of a line that the report must name; two if the mistake has two sides
    ranks       number of processes that mpirun starts
    gap         message that appears instead, if nothing names the mistake yet: it is run and shown, and does not fail

Then come the changed lines, as in a diff: "-" before a removed line, "+" before a new one, a blank before an unchanged one
that shows the place. They must be in the file once. "@@" begins another change, "@@ NAME" one in another file of the step.

Lines under [*] hold for all entries after it. An entry may have another line of that name.

The corpus of correct kernels is right.txt. Nothing may be reported of them, and they must score full:

    unusual     how it differs from the step, in a sentence
    arguments   as above
"""

import dataclasses
import functools
import json
import re
import shlex

from common.base.command_line import ROOT
from common.grader.exercises.patches import BadFile, Patch
from common.grader.steps import step_of

FOLDER = ROOT / "common" / "grader" / "mutants"
SETTINGS = FOLDER / "settings.json"
FIELDS = {"file", "kind", "mistake", "checker", "validation", "arguments", "bodies", "line", "program", "ranks", "gap"}
# Several tiles, and a last one that is not full.
BODIES = "1000 513 257"


def header_fields(owner, text, known, lists=(), between=": "):
    """Returns the values of "Name: value" lines by name: one of each, any number of those in `lists`."""
    fields = {name: [] for name in lists}
    for line in text.strip().splitlines():
        name, _, value = line.partition(between)
        if name not in known or not value or (name in fields and name not in lists):
            raise BadFile(f"{owner}: not a line of its header: {line}")
        fields[name] = [*fields[name], value] if name in lists else value
    return fields


@dataclasses.dataclass(frozen=True)
class Mutant(Patch):
    """A step, or a whole program, with a mistake in it."""

    kind: str
    mistake: str
    tool: str  # must name the mistake: "checker" or "validation"
    words: str  # required words
    arguments: tuple
    bodies: tuple
    lines: tuple  # words of the lines that the report must name
    gap: str  # the message instead, if nothing names the mistake yet
    ranks: int = 0  # processes that mpirun starts; 0: without mpirun
    named: str = ""  # the program, if the mutant names one

    @property
    def report(self):
        """Returns the kind of its report: the first word of the checker's title or of a hint, and a whole program's title. CI
        runs one mutant of each kind.
        """
        title = re.sub(r"[\d.]+|^The forces are |^They are ", "", self.words).partition(" | ")[0].partition(":")[0]
        return bool(self.lines), self.tool, title if self.lines else title.split()[0]

    @property
    def whole_program(self):
        """Returns the whole program that it changes, from the suite's root; None for a step's mutant."""
        return f"{self.step}/{next(iter(self.originals()))}" if self.lines else None

    def places(self):
        """Returns FILE:LINE of each of `lines`, with the file's folder, as in a report."""
        text, = self.sources().values()
        for words in self.lines:
            if text.count(words) != 1:
                raise BadFile(f"{self.name}: '{words}' is there {text.count(words)} times, not once")
        file = "/".join(self.whole_program.split("/")[-2:])
        return [f"{file}:{text[:text.index(words)].count(chr(10)) + 1}" for words in self.lines]

    @property
    def program(self):
        """Returns the program that shows the mistake."""
        return self.named or (f"{self.step[:2]}_tuned" if "tuned.cuh" in dict(self.hunks()) else self.step)


def diff_of(name, file, body):
    """Returns the lines of an entry as a diff without line numbers. They change its file, or others of its folder."""
    if not body:
        raise BadFile(f"{name}: nothing changes")
    folder, _, own = file.partition("/")
    diff, current = [], None
    for line in body.splitlines():
        if line.startswith("@@") or current is None:
            other = line[2:].strip() if line.startswith("@@") else ""
            wanted = other or current or own
            if wanted != current:
                diff += [f"--- a/{folder}/{wanted}", f"+++ b/{folder}/{wanted}"]
                current = wanted
            diff.append("@@ -1 +1 @@")
        if not line.startswith("@@"):
            diff.append(line or " ")
    return "\n".join(diff) + "\n"


def fields_and_diff(name, text, known, lists=()):
    head, body = re.match(r"((?:\w+ = [^\n]*\n)*)(.*)\Z", text, re.DOTALL).groups()
    fields = header_fields(name, head, known, lists, " = ")
    return fields, diff_of(name, fields.get("file", f"{step_of(name)}/forces.cu"), body)


def parse(name, text):
    fields, diff = fields_and_diff(name, text, FIELDS, {"line"})
    tools = [tool for tool in ("checker", "validation") if tool in fields]
    if not {"kind", "mistake"} <= fields.keys() or len(tools) != 1:
        raise BadFile(f"{name}: the header needs kind, mistake and one of checker and validation")
    return Mutant(name=name, kind=fields["kind"], mistake=fields["mistake"], tool=tools[0], words=fields[tools[0]],
                  arguments=tuple(shlex.split(fields.get("arguments", ""))),
                  bodies=tuple(map(int, fields.get("bodies", BODIES).split())), lines=tuple(fields["line"]),
                  gap=fields.get("gap", ""), ranks=int(fields.get("ranks", 0)), named=fields.get("program", ""), diff=diff)


@dataclasses.dataclass(frozen=True)
class RightKernel(Patch):
    """A correct step that is written differently."""

    unusual: str
    arguments: tuple


def parse_right(name, text):
    fields, diff = fields_and_diff(name, text, {"unusual", "arguments"})
    if "unusual" not in fields:
        raise BadFile(f"{name}: the header needs unusual")
    return RightKernel(name, diff, fields["unusual"], tuple(shlex.split(fields.get("arguments", ""))))


def entries(file):
    """Returns name and text of each entry of a file. Each begins with the lines under the last [*], except those that it has
    itself.
    """
    _, *parts = re.split(r"^\[(\w+|\*)\]\n", "\n" + file.read_text(), flags=re.MULTILINE)
    found, shared = [], []
    for name, text in zip(parts[::2], parts[1::2]):
        text = text.rstrip("\n") + "\n"
        if name == "*":
            shared = text.splitlines(keepends=True)
        else:
            own = re.findall(r"^\w+ = ", text, re.MULTILINE)
            found.append((name, "".join(line for line in shared if not line.startswith(tuple(own))) + text))
    return found


def right_kernels(folder=FOLDER):
    return [parse_right(name, text) for name, text in entries(folder / "right.txt")]


@functools.lru_cache(None)
def corpus(folder=FOLDER):
    files = [*ROOT.glob("[0-9][0-9]_*/mutants.txt"), folder / "programs.txt"] if folder == FOLDER else folder.glob("*.txt")
    found = [parse(name, text) for path in files for name, text in entries(path)]
    return sorted(found, key=lambda mutant: mutant.name)


def settings_of(step):
    """Returns {arguments: bodies} for every choice of options that shows a mistake. The checker needs few bodies, wrong forces
    say more with many. A copy for students has these in a file, instead of mutants.
    """
    if SETTINGS.exists():
        return {tuple(words): bodies for words, bodies in json.loads(SETTINGS.read_text()).get(step, ())}
    settings = {}
    for m in corpus():
        if m.program == step and m.arguments and not m.lines and not m.ranks:
            bodies = m.bodies[-1] if m.tool == "checker" else m.bodies[0]
            settings[m.arguments] = max(bodies, settings.get(m.arguments, 0))
    return settings


def mutant(name, folder=FOLDER):
    return next(m for m in corpus(folder) if m.name == name)


def one_of_each(found, what="report"):
    """Returns the first mutant of each report, or the first exercise of each kind."""
    first = {}
    for one in found:
        if not getattr(one, "gap", ""):
            first.setdefault(getattr(one, what), one)
    return list(first.values())
