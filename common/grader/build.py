"""Builds a submission: with the student's files instead of the step's, and the rest as in the build tree."""

import concurrent.futures
import dataclasses
import os
import re
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.nvcc.launcher import SIDES
from common.grader.complaints import Complaint, DoesNotBuild
from common.grader.loops import without_comments
from common.grader.sandbox.compiler_view import compiler_paths
from common.grader.sandbox.limited_run import cut, run_limited
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import StepBuild

SECONDS = 120  # a Limit's, for all files together, because templates can keep a compiler busy for ever
OBJECT_BYTES = 256 << 20
MEMORY = 4 << 30
SOURCE_BYTES = 1 << 20  # limit for one file
SOURCES_BYTES, SOURCES_COUNT = 4 << 20, 100  # limits for all files together
LAUNCHER = "kernel-launcher"  # translates files with kernels (common/executor/nvcc/install.cmake)
PLAIN_NAME = re.compile(r"[\w.+-]+")
SOURCES = {".cu", ".cuh", ".cpp", ".hpp", ".h"}
ERRORS = [re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE),
          re.compile(r"^(?P<file>[^(\n]+)\((?P<line>\d+)\): (?:catastrophic )?error:? (?P<text>.*)$", re.MULTILINE)]
# Message of a compiler that crashed.
FATAL = re.compile(r"^[\w+/.-]+: (?:fatal|internal compiler) error: (.*)$", re.MULTILINE)
# Error of a compiler that expected something before a token.
MISSING = re.compile(r"expected (.+?) before ‘([^’]+)’")
# Error about a name in a template, which other compilers word as in any other function.
NO_ARGUMENTS = re.compile(r"there are no arguments to (‘[^’]+’) that depend on a template parameter.*")
UNKNOWN = re.compile(r"‘(\w+)’ was not declared in this scope")
ARGUMENT = re.compile(r"note: +initializing argument (\d+) of ‘(.{1,300}?)’")
ASKED_FOR = "This is called, but no file defines it: compare its name, parameters and namespace with the file that was handed out."
LINKER = re.compile(r"(undefined reference to|multiple definition of) [`'](.{0,1000}?)'")
# Lines that name the code behind an error in a header, the clearest first.
LED = [re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? +required from here", re.MULTILINE),
       re.compile(r"from (?P<file>[^:\s]+):(?P<line>\d+)[:,]"),
       re.compile(r"at line (?P<line>\d+) of (?P<file>\S+)")]


class SubmissionBuild(StepBuild):
    """Builds a step with a submission. Compiler and linker run within limits."""

    spent = 0.0  # seconds of all calls

    def __init__(self, build, step, sandbox, jobs=1):
        """jobs: number of compilers that run at the same time"""
        super().__init__(build, step, f"{step}_submission")
        self.sandbox = sandbox
        self.jobs = jobs
        self.place = None

    def program(self, folder, changed):
        self.place = Path(folder) / self.step
        self.place.mkdir(parents=True)
        self.sandbox.give(folder)
        return self.linked(folder, self.objects(folder, changed))

    def each(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(function, items))

    def linked(self, folder, objects):
        program = super().linked(folder, objects)
        self.sandbox.give(folder)
        return program

    def compiled(self, compiling, place, made):
        command = super().compiled(compiling, place, made)
        # The launcher passes on all words of other files.
        if Path(command[0]).name == LAUNCHER and any(word.endswith(".cu") for word in command):
            command.insert(1, SIDES)
        return command if self.build.name == "gpu" else [*command, "-fmax-errors=1"]

    def readable(self, command):
        # The translator's compiled Python and the kernels' headers, because compiling them takes long.
        own = [self.build / "pycache", self.build / "kernel-headers"]
        return [*compiler_paths(command, self.build), *filter(Path.exists, own)]

    def call(self, command):
        gpu = self.build.name == "gpu"  # nvcc reserves more addresses than it uses
        self.sandbox.give(self.place)
        # Another user may not read what a program is linked with. Linking runs no code of the submission.
        sandbox = self.sandbox if "-c" in command or "-E" in command or self.sandbox.mode == "bubblewrap" else Sandbox("none")
        if sandbox.mode != "bubblewrap":  # removing the folder removes what a killed compiler leaves
            command = ["env", f"TMPDIR={self.place}", *command]
        ended = run_limited(command, max(0.1, SECONDS - self.spent), cwd=self.build, sandbox=sandbox, file_bytes=OBJECT_BYTES,
                            memory=None if gpu else MEMORY, gpu=gpu, readable=self.readable(command),
                            writable=[self.place])
        self.spent += ended.seconds
        if ended.status is None:
            raise DoesNotBuild(Complaint(f"the compiler did not end within {SECONDS} s"))
        if ended.status != 0:
            raise DoesNotBuild(complaint(ended.error + cut(ended.out), self.place, self.build))


def complaint(text, place, build):
    """Returns the first error in a compiler's or linker's output, with its place in the files under `place`."""

    def own(file):
        path = (Path(build) / file).resolve()
        return str(path.relative_to(Path(place).resolve())) if Path(place).resolve() in path.parents else None

    found = next((match for pattern in ERRORS for match in pattern.finditer(text)), None)
    if found is None:
        linker = LINKER.search(text)
        if linker:
            details = (ASKED_FOR,) if linker.group(1).startswith("undefined") else ()
            return Complaint(f"linking: {linker.group(1)} {linker.group(2)}", details)
        fatal = FATAL.search(text)
        return Complaint(f"the compiler failed: {fatal.group(1)}" if fatal else "the compiler failed",
                         tuple(text.strip().splitlines()[-3:]))
    if own(found["file"]):
        at = at_source(found["text"], Path(place), own(found["file"]), int(found["line"]))
        argument = ARGUMENT.search(text[found.end():].partition(" error: ")[0])
        called = argument and re.sub(r"\bnbody::(\w+::)*", "", argument[2])
        return dataclasses.replace(at, details=(*at.details, f"this is argument {argument[1]} of {called}")) if called else at
    # The error is in a header of the suite, so the student's line that led there is shown.
    details = (f"the error is in {Path(found['file']).name}, line {found['line']}, which this line uses",)
    for match in (match for pattern in LED for match in pattern.finditer(text)):
        if own(match["file"]):
            return Complaint(found["text"], details, own(match["file"]), int(match["line"]))
    return Complaint(found["text"], (f"in {found['file'].replace(f'{ROOT}/', '')}, line {found['line']}",))


def at_source(text, place, file, line):
    """Returns a compiler's error with the student's line and a mark. Compilers see the translated text, so columns are not theirs. They
    name the line after one in which a semicolon is missing.
    """
    path = place / file
    lines = without_comments(path.read_text(errors="replace")).splitlines() if path.is_file() else []
    if not 0 < line <= len(lines):
        return Complaint(text, (), file, line)
    if define := macro_with_semicolon(lines, text, line):
        return Complaint(f"this macro ends with a semicolon, which is then inside line {line} too: remove it", (lines[define - 1].strip(),),
                         file, define)
    mark = None
    text = NO_ARGUMENTS.sub(r"\1 was not declared in this scope", text)
    if unknown := UNKNOWN.match(text):  # __launch_bounds__ are compiled at the end of their kernel
        line = next((n for n in range(line, 0, -1) if is_in(lines[n - 1], unknown[1])), line)
    if missing := MISSING.match(text):
        expected, token = missing.groups()
        before = next((n for n in range(line - 1, 0, -1) if lines[n - 1].strip()), None)
        if "‘;’" in expected and before and (starts_with(lines[line - 1], token) or is_open(lines[before - 1])) and not re.search(
                r"[;{,(&|+*/]$|^\s*#", lines[before - 1].rstrip()):
            line = before
        if line == before or not is_in(lines[line - 1], token):
            text, mark = f"expected {expected} at the end of this line", len(lines[line - 1].rstrip())
    elif "function-definition is not allowed here" in text:
        text = "a function begins inside another function: is a } missing above this line?"
    shown = path.read_text(errors="replace").splitlines()[line - 1]
    if mark is None:
        names = [name for name in re.findall("‘([^’]+)’", text) if is_in(lines[line - 1], name)]
        mark = place_of(lines[line - 1], names[0]) if names else None
    indent = len(shown) - len(shown.lstrip())
    pointer = (" " * (mark - indent) + "^",) if mark is not None and mark >= indent else ()
    return Complaint(text, (shown.strip().expandtabs(1), *pointer), file, line)


def macro_with_semicolon(lines, text, line):
    """Returns the line that defines a macro with a semicolon at its end, if a line with it is not complete; else None."""
    if not re.match(r"expected|this <<< has no", text):
        return None
    defined = ((n, re.match(r"\s*#\s*define\s+(\w+)\s.*;\s*$", before)) for n, before in enumerate(lines[:line - 1], 1))
    return next((n for n, found in defined if found and is_in(lines[line - 1], found[1])), None)


def place_of(line, name):
    """Returns where the line has the name, as a whole word; None if it has not."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)" if name[-1:].isalnum() else re.escape(name), line)
    return found and found.start()


def is_in(line, name):
    return place_of(line, name) is not None


def starts_with(line, token):
    return line.strip().startswith(token)


def is_open(line):
    """Returns whether a line looks like a statement without its semicolon, such as an initializer."""
    return re.search(r"=\s*\{[^{}]*\}$", line.rstrip()) is not None


def source_texts(folder, step, needed=()):
    """Returns (the student's sources by name, names of unused files). needed: files that must be submitted in any case"""
    known = {str(path.relative_to(ROOT / step)) for path in (ROOT / step).rglob("*") if path.is_file()} | {*needed}
    folders = {name.rpartition("/")[0] for name in known} - {"", "exercises"}
    texts, ignored, left = {}, [], SOURCES_BYTES
    # The step's own names come first, so that any number of other files cannot displace them.
    for name in sorted(names_in(folder, folders), key=lambda name: (name not in known, name)):
        path = folder / name
        if is_source(path, name in known) and len(texts) < SOURCES_COUNT and path.stat().st_size <= left:
            left -= path.stat().st_size
            texts[name] = path.read_text(errors="replace")
        elif name not in ("README.md", "answers.txt", ".git", ".github"):
            ignored.append(name)
    return texts, ignored


def names_in(folder, folders, inside=""):
    """Yields the names of all files in a folder and in its folders that the step has too: "lists/walk.cuh". Follows no links."""
    for entry in os.scandir(folder / inside):
        name = inside + entry.name
        if name in folders and entry.is_dir(follow_symlinks=False):
            yield from names_in(folder, folders, f"{name}/")
        else:
            yield name


def is_source(path, known):
    """Returns whether a file is used: no link, no unit that the step does not have, no name that a message could not show."""
    if path.is_symlink() or not path.is_file() or not PLAIN_NAME.fullmatch(path.name):
        return False
    return path.stat().st_size <= SOURCE_BYTES and path.suffix in SOURCES and (
        known or path.suffix in (".cuh", ".hpp", ".h"))
