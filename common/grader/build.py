"""Builds a submission: the student's files in place of the step's, all else as the build tree has it."""

import dataclasses
import json
import os
import re
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.nvcc.compile import SUBMISSION
from common.grader.kernel_calls import host_call
from common.grader.own_calls import demangled, foreign_call
from common.grader.own_definitions import foreign_definition
from common.grader.sandbox.compiler_view import compiler_paths
from common.grader.sandbox.limited_run import cut, run_limited
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import StepBuild

SECONDS = 120  # for all files together: templates can keep a compiler busy for ever
OBJECT_BYTES = 256 << 20
MEMORY = 4 << 30
CHECKS_CALLS = True  # a test of what the sandbox stops has submissions that call what they like
SOURCE_BYTES = 1 << 20  # of a file
SOURCES_BYTES, SOURCES_COUNT = 4 << 20, 100  # of all
PLAIN_NAME = re.compile(r"[\w.+-]+")
SOURCES = {".cu", ".cuh", ".cpp", ".hpp", ".h"}
ERRORS = [re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE),
          re.compile(r"^(?P<file>[^(\n]+)\((?P<line>\d+)\): (?:catastrophic )?error:? (?P<text>.*)$", re.MULTILINE)]
# Of a part of the compiler that was ended.
FATAL = re.compile(r"^[\w+/.-]+: (?:fatal|internal compiler) error: (.*)$", re.MULTILINE)
OTHERS_LINE = re.compile(r"^[^\S\n]*(?:#|%:|\?\?=)[^\S\n]*(?:line\b|\d).*|\bsystem_header\b|\b_Pragma\s*\(\s*[^\s\"LuUR].*",
                         re.MULTILINE)
LINKER = re.compile(r"(undefined reference to|multiple definition of) [`'](.{0,1000}?)'")
# The lines that say what led to an error in a header, the plainest first.
LED = [re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? +required from here", re.MULTILINE),
       re.compile(r"from (?P<file>[^:\s]+):(?P<line>\d+)[:,]"),
       re.compile(r"at line (?P<line>\d+) of (?P<file>\S+)")]


@dataclasses.dataclass(frozen=True)
class Complaint:
    """What is wrong, in a line; details; the place in the student's files, where it is known."""

    text: str
    details: tuple = ()
    file: str | None = None
    line: int | None = None

    def in_a_line(self):
        place = f"{self.file}:{self.line}: " if self.file else ""
        return "; ".join([place + self.text, *self.details])


class DoesNotBuild(Exception):
    """Carries the Complaint of the compiler or the linker."""

    def __init__(self, complaint):
        super().__init__(complaint.text)
        self.complaint = complaint


class SubmissionBuild(StepBuild):
    """A step's build for a submission, whose compiler and linker run within limits."""

    def __init__(self, build, step, sandbox):
        super().__init__(build, step, f"{step}_submission")
        self.sandbox = sandbox
        self.place = None
        self.seconds = SECONDS  # left

    def objects(self, folder, changed):
        self.place = Path(folder) / self.step
        self.place.mkdir(parents=True)
        self.sandbox.give(folder)
        made = super().objects(folder, changed)
        if self.build.name != "gpu":
            for path in made.values():
                check_object(path, self.sandbox, self.build)
        return made

    def linked(self, folder, objects):
        program = super().linked(folder, objects)
        self.sandbox.give(folder)
        return program

    def compiled(self, compiling, place, made):
        command = super().compiled(compiling, place, made)
        untrusted = [f"-D{SUBMISSION}"] if CHECKS_CALLS else []
        return command if self.build.name == "gpu" else [*command, "-fmax-errors=1", *untrusted]

    def readable(self, command):
        # The translator's compiled Python; without it every compilation would begin with that.
        return [*compiler_paths(command, self.build), *filter(Path.exists, [self.build / "pycache"])]

    def call(self, command):
        gpu = self.build.name == "gpu"  # nvcc reserves more addresses than it has use for
        self.sandbox.give(self.place)
        # Another user may not read what a program is linked with; no code of the submission's runs then.
        sandbox = self.sandbox if "-c" in command or self.sandbox.mode == "bubblewrap" else Sandbox("none")
        if sandbox.mode != "bubblewrap":  # what a compiler that is killed leaves goes with the folder
            command = ["env", f"TMPDIR={self.place}", *command]
        ended = run_limited(command, self.seconds, cwd=self.build, sandbox=sandbox, file_bytes=OBJECT_BYTES,
                            memory=None if gpu else MEMORY, gpu=gpu, readable=self.readable(command),
                            writable=[self.place])
        self.seconds = max(0.1, self.seconds - ended.seconds)
        if ended.status is None:
            raise DoesNotBuild(Complaint(f"the compiler did not end within {SECONDS} s"))
        if ended.status != 0:
            raise DoesNotBuild(complaint(ended.error + cut(ended.out), self.place, self.build))


def check_object(made, sandbox, build):
    """What an object of a submission's defines and calls; build: the tree whose executor it is linked with"""
    tools = json.loads((build / "executor.json").read_text())
    if CHECKS_CALLS and (name := foreign_call(made, sandbox, tools["compiler"][-1])):
        raise DoesNotBuild(Complaint(f"it calls {name}: a submission may use CUDA and the standard library, without its files "
                                     "and threads, and nothing else of the system's or of the executor's"))
    if CHECKS_CALLS and (name := host_call(made, sandbox, tools["compiler"][-1])):
        raise DoesNotBuild(Complaint(f"a kernel calls {demangled(name)}, which is a function of the host's: nvcc does not "
                                     "compile that"))
    if name := foreign_definition(made, sandbox, tools["compiler"][-1], (tools["libraries"]["check"],)):
        raise DoesNotBuild(Complaint(f"it defines {name}(), which is the system's or the executor's: choose another name"))


def complaint(text, place, build):
    """The first error of a compiler's or linker's output, with its place in the files under `place`."""

    def own(file):
        path = (Path(build) / file).resolve()
        return str(path.relative_to(Path(place).resolve())) if Path(place).resolve() in path.parents else None

    found = next((match for pattern in ERRORS for match in pattern.finditer(text)), None)
    if found is None:
        linker = LINKER.search(text)
        if linker:
            return Complaint(f"linking: {linker.group(1)} {linker.group(2)}")
        fatal = FATAL.search(text)
        return Complaint(f"the compiler failed: {fatal.group(1)}" if fatal else "the compiler failed",
                         tuple(text.strip().splitlines()[-3:]))
    if own(found["file"]):
        return Complaint(found["text"], (), own(found["file"]), int(found["line"]))
    # In a header of the suite: the line of the student's that led there.
    details = (f"in {Path(found['file']).name}, line {found['line']}, to which this line led",)
    for match in (match for pattern in LED for match in pattern.finditer(text)):
        if own(match["file"]):
            return Complaint(found["text"], details, own(match["file"]), int(match["line"]))
    return Complaint(found["text"], (f"in {found['file'].replace(f'{ROOT}/', '')}, line {found['line']}",))


def check_texts(texts):
    """Of sources by name: none says that a part of it is another file's, or the system's."""
    for name, text in texts.items():
        plain = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", "", m[0]) or " ", text.replace("\\\n", ""), flags=re.DOTALL)
        if CHECKS_CALLS and (found := OTHERS_LINE.search(plain)):
            raise DoesNotBuild(Complaint(f"a submission may not have {found[0].strip()}, by which lines would be another file's",
                                         (), name, plain.count("\n", 0, found.start()) + 1))


def source_texts(folder, step):
    """(the student's sources by name, names of what is not used)."""
    known = {str(path.relative_to(ROOT / step)) for path in (ROOT / step).rglob("*") if path.is_file()}
    folders = {name.rpartition("/")[0] for name in known} - {"", "exercises"}
    texts, ignored, left = {}, [], SOURCES_BYTES
    # The step's own names first: no number of other files keeps them out.
    for name in sorted(names_in(folder, folders), key=lambda name: (name not in known, name)):
        path = folder / name
        if is_source(path, name in known) and len(texts) < SOURCES_COUNT and path.stat().st_size <= left:
            left -= path.stat().st_size
            texts[name] = path.read_text(errors="replace")
        elif name not in ("README.md", "answers.txt", ".git", ".github"):
            ignored.append(name)
    return texts, ignored


def names_in(folder, folders, inside=""):
    """Of all in a folder, and in those of its folders that the step has too: "lists/walk.cuh". Follows no links."""
    for entry in os.scandir(folder / inside):
        name = inside + entry.name
        if name in folders and entry.is_dir(follow_symlinks=False):
            yield from names_in(folder, folders, f"{name}/")
        else:
            yield name


def is_source(path, known):
    """Whether a file is used. Not a link, which could lead to another's files; not a unit that the step does not have,
    which would not be compiled; not one with a name that would not be recognised in a compiler's message.
    """
    if path.is_symlink() or not path.is_file() or not PLAIN_NAME.fullmatch(path.name):
        return False
    return path.stat().st_size <= SOURCE_BYTES and path.suffix in SOURCES and (
        known or path.suffix in (".cuh", ".hpp", ".h"))
