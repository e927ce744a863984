"""The hostile submissions: the table attacks.txt, and those that a function writes: several files, odd names, links, large files."""

import dataclasses
import functools
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.exercises.files import exercise
from common.grader.exercises.mutant_corpus import diff_of
from common.grader.exercises.patches import Patch
from common.grader.step_build import write_files

HERE = Path(__file__).resolve().parent
COMPILES = 3  # points
HONEST = '#include "honest.hpp"\n\nvoid answer(Call call) { honest(call); }\n'  # its forces are correct
ROW = re.compile(r"\[(\w+)\] .+? -> .+?(?: \{(.+)\})?")
OWN_HEADERS = re.compile(r'^#include "', re.MULTILINE)
WHOLE_TEXT = re.compile(r"\b(?:answer|main)\(|^#include")


@dataclasses.dataclass(frozen=True)
class Hostile:
    """A row of the table, whose head explains the fields. trusted is None if it must not run without isolation."""

    name: str
    fill: Callable  # writes its files into a folder
    task: str = "02"
    most: float = COMPILES
    trusted: float | None = None
    least: float = 0


def row(line, fill):
    """Returns the Hostile of a row. fill: takes its Hostile and a folder"""
    name, settings = ROW.fullmatch(line).groups()
    fields = dict(setting.split(" ") for setting in settings.split(", ")) if settings else {}
    task = fields.pop("task", "02")
    fields = {key: float(value) for key, value in fields.items()}
    if "least" in fields:
        fields["most"] = fields["least"]
    made = Hostile(name, None, task, **fields)
    return dataclasses.replace(made, fill=functools.partial(fill, made))


def write_text(text, hostile, folder):
    """Writes the files of a text of the table."""
    if hostile.task.startswith("8."):
        asked = exercise(hostile.task)
        patch = Patch(hostile.name, diff_of(hostile.name, f"{asked.step}/{asked.main}", text))
        return write_files(folder, {**asked.solution(), **patch.sources()})
    if not WHOLE_TEXT.search(text):
        text = f"void answer([[maybe_unused]] Call call) {{\n{text}}}\n"
    first = "" if OWN_HEADERS.search(text) or hostile.name.startswith("program_") else '#include "honest.hpp"\n\n'
    return write_files(folder, {"standalone.cu" if hostile.name.startswith("program_") else "forces.cu": first + text})


def hostile_submissions():
    """Returns those of the table, then those that a function writes."""
    text = re.sub(r"^## .*\n", "", (HERE / "attacks.txt").read_text(), flags=re.MULTILINE)
    found = []
    for entry in re.split(r"^(?=\[\w+\] .* -> )", text, flags=re.MULTILINE)[1:]:
        line, _, body = entry.strip("\n").partition("\n")
        found.append(row(line, functools.partial(write_text, f"{body}\n")))
    return found + [row(make.__doc__, lambda _, folder, make=make: make(folder)) for make in MADE]


def written(hostile, folder, target):
    """Writes the submission into the folder, with the files that all of them include."""
    folder.mkdir()
    shutil.copy(HERE / "honest.hpp", folder)
    (folder / "target.hpp").write_text(target)
    hostile.fill(folder)


def forces_without_ranks(folder):
    """[forces_without_ranks] hands in the starter, and a file of the suite that makes one rank of any number -> the grader, which takes only the files that the exercise asks for {task 8.1}"""
    asked = exercise("8.1")
    options = (ROOT / "08_many_gpus" / "options.hpp").read_text()
    options = options.replace("int ranks = 3;", "int ranks = 1, ignored = 3;").replace('("ranks", ranks,', '("ranks", ignored,')
    write_files(folder, {**asked.solution(), asked.main: asked.starter()[asked.main], "options.hpp": options})


def build_tricks(folder):
    """[build_tricks] makes the build run files next to the kernel: of CMake, Make and Python -> the grader, which takes only source files and calls the compiler itself {most 100, trusted 100}"""
    cmake = 'file(WRITE "$ENV{NBODY_HOSTILE_CANARY}" changed)\nexecute_process(COMMAND touch /tmp/hostile-left-cmake)\n'
    python = 'open("/tmp/hostile-left-python", "w").close()\n'  # if Python looked here first, before its own library
    write_files(folder, {"forces.cu": HONEST, "CMakeLists.txt": cmake, "step.cmake": cmake, "json.py": python,
                         "conftest.py": python, "Makefile": "all:\n\ttouch /tmp/hostile-left-make\n"})


def shadow_headers(folder):
    """[shadow_headers] adds headers with the names of the suite's and the system's, in which the checker does nothing -> the grader, which takes no folders; the suite's headers are included by folder {most 100, trusted 100}"""
    beside = dict.fromkeys(("check.hpp", "cooperative_groups.h", "cuda.hpp", "step.hpp"), "#pragma once\n#define NBODY_CHECK(...)\n")
    inside = dict.fromkeys(("cuda/cuda.hpp", "driver/step.hpp"), "#error the submission's own\n")
    write_files(folder, {**beside, **inside, "forces.cu": f'#include "cooperative_groups.h"\n#include "cuda.hpp"\n{HONEST}'})


def odd_names(folder):
    """[odd_names] hands in files whose names are options, commands, two lines, no text, or turn a line round -> the grader, which calls no shell and takes only plain names {most 100, trusted 100}"""
    (folder / "forces.cu").write_text(HONEST)
    for name in (b"-o.hpp", b"--help.cuh", b"@args.h", b"$(touch hostile-left).hpp", b"`id`.h", b"a b.cuh", b"it's \"q\".h", b"forces.CU",
                 b"two\nlines.hpp", b".hidden.h", b"caf\xe9.h", b"\xff\xfe.cuh", b"\x1b[2J.h", b"%s%n.h", b"a" * 250 + b".h",
                 "forces\u202euc.h".encode(), "f\u043erces.cu".encode(), "\u200b.h".encode()):
        with open(os.fsencode(folder) + b"/" + name, "wb") as file:
            file.write(b"#error taken\n")


def pipe(folder):
    """[pipe] hands in a named pipe as forces.cu; a program that reads it waits for ever -> the grader, which takes only regular files"""
    os.mkfifo(folder / "forces.cu")
    os.mkfifo(folder / "answers.txt")


def many_files(folder):
    """[many_files] hands in 1 GB of source text in 1,100 headers, and 20,000 files with long names -> limits on the total size and on the names in the report {most 100}"""
    (folder / "forces.cu").write_text(HONEST)
    for number in range(1100):
        with open(folder / f"part{number}.hpp", "wb") as file:
            file.truncate(1 << 20)
    for number in range(20000):
        (folder / f"{number}{'x' * 200}.txt").touch()


def no_text(folder):
    """[no_text] hands in a forces.cu whose bytes are not text -> the compiler"""
    (folder / "forces.cu").write_bytes(bytes(range(256)) * 100 + b"\0" * 1000 + HONEST.encode())


def raw_string_of_markers(folder):
    """[raw_string_of_markers] contains 60,000 lines that look like the compiler's own markers -> a translator whose time grows linearly with the text {most 100}"""
    lines = "# 1 \"x\" 3\n" * 60000
    (folder / "forces.cu").write_text(f"{HONEST}\n[[maybe_unused]] static const char* const markers = R\"x(\n{lines})x\";\n")


MADE = (build_tricks, shadow_headers, odd_names, pipe, many_files, no_text, raw_string_of_markers, forces_without_ranks)
