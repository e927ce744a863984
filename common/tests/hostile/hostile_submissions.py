"""The hostile submissions: those of the folder hostile/, and those that no repository can hold."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import re
import shutil
import socket
import textwrap
from collections.abc import Callable
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.exercises.files import exercises
from common.grader.step_build import write_files

HERE = Path(__file__).resolve().parent
HONEST = HERE / "build_tricks" / "forces.cu"  # whose forces are right


@dataclasses.dataclass(frozen=True)
class Hostile:
    """What its header says. task: the step or the exercise that it is handed in for, 02 unless said; most: points that it
    may earn, none unless said; trusted: what it earns at least where nothing stops it, None where that is not to be tried;
    least: points that it must earn, of correct ones; checked: whether what it calls is looked at, as in earnest: of most it
    is not, for the sandbox is what is tried.
    """

    name: str
    task: str
    tries: str
    stopped_by: str
    most: float
    trusted: float | None
    kind: str
    least: float
    checked: bool
    fill: Callable  # writes its files into a folder


def headed(name, text, fill):
    """The Hostile of a text that begins with `// Tries:` and so on."""
    head = re.sub(r"\n// +(?!(?:Task|Kind|Tries|Stopped by|Most|Trusted|Least|Calls): )", " ", re.match(r"(//.*\n)+", text).group())
    fields = dict(re.findall(r"// ([\w ]+): (.*)", head))
    trusted = float(fields["Trusted"]) if "Trusted" in fields else None
    least = float(fields.get("Least", 0))
    return Hostile(name, fields.get("Task", "02"), fields["Tries"], fields["Stopped by"],
                   max(float(fields.get("Most", 0)), least), trusted, fields.get("Kind", ""), least,
                   least > 0 or fields.get("Calls") == "checked", fill)


def kept():
    """Those of the folder: a file, or a folder of several."""
    for path in sorted(HERE.iterdir()):
        if path.is_dir():
            yield headed(path.name, (path / "forces.cu").read_text(),
                         lambda folder, path=path: shutil.copytree(path, folder, dirs_exist_ok=True))
        elif path.suffix == ".cu":
            name = "standalone.cu" if path.stem.startswith("program_") else "forces.cu"
            yield headed(path.stem, path.read_text(),
                         lambda folder, path=path, name=name: shutil.copy(path, folder / name))
        elif path.suffix == ".cpp":
            text = path.read_text()
            yield headed(path.stem, text, functools.partial(exchange_by, re.search(r"// Task: (.*)", text)[1], text))


def exercise_numbered(number):
    return next(e for e in exercises() if e.number == number)


def exchange_by(number, text, folder):
    """Writes what this exercise of ranks asks for: the text as its file, and the rest as it is right."""
    exercise = exercise_numbered(number)
    write_files(folder, {**exercise.solution(), exercise.main: text})


def forces_without_ranks(folder):
    """
    // Task: 8.1
    // Kind: others' files
    // Tries: the starter, and beside it a file of the suite's that makes one rank of whatever ranks there are to be.
    // Stopped by: the grader takes the files that the exercise asks for, no others.
    """
    exercise = exercise_numbered("8.1")
    exchange_by(exercise.number, exercise.starter()[exercise.main], folder)
    forces = (ROOT / "08_many_gpus" / "one_process" / "forces.cpp").read_text()
    write_files(folder, {"one_process/forces.cpp": forces.replace("options.ranks", "1")})


def odd_names(folder):
    """
    // Kind: odd names
    // Tries: files whose names are options, commands, two lines, or no text at all.
    // Stopped by: the grader calls no shell, and takes plain names alone. Its forces are right.
    // Most: 100
    // Trusted: 100
    """
    shutil.copy(HONEST, folder / "forces.cu")
    for name in (b"-o.hpp", b"--help.cuh", b"@args.h", b"$(touch hostile-left).hpp", b"`id`.h", b"a b.cuh", b"it's \"q\".h",
                 b"two\nlines.hpp", b".hidden.h", b"caf\xe9.h", b"\xff\xfe.cuh", b"\x1b[2J.h", b"%s%n.h", b"a" * 250 + b".h"):
        with open(os.fsencode(folder) + b"/" + name, "wb") as file:
            file.write(b"#error taken\n")


def link_to_reference(folder):
    """
    // Kind: links
    // Tries: to hand in a link to the step's own forces.cu.
    // Stopped by: the grader takes no links.
    """
    (folder / "forces.cu").symlink_to(ROOT / "02_tiled" / "forces.cu")


def link_to_passwords(folder):
    """
    // Kind: links
    // Tries: to have the compiler print another's file as an error: a header that is a link to the list of users.
    // Stopped by: the grader takes no links.
    """
    (folder / "forces.cu").write_text('#include "mine.hpp"\n' + HONEST.read_text())
    (folder / "mine.hpp").symlink_to("/etc/passwd")


def link_out_of_the_folder(folder):
    """
    // Kind: links
    // Tries: a folder of headers that is a link to the suite, and a link to itself.
    // Stopped by: the grader takes no links.
    """
    (folder / "forces.cu").write_text('#include "suite/02_tiled/forces.cu"\n')
    (folder / "suite").symlink_to(ROOT)
    (folder / "loop.hpp").symlink_to("loop.hpp")


def pipe(folder):
    """
    // Kind: no file
    // Tries: a forces.cu that is a named pipe: who reads it waits for ever.
    // Stopped by: the grader takes files alone.
    """
    os.mkfifo(folder / "forces.cu")
    os.mkfifo(folder / "answers.txt")


def directory(folder):
    """
    // Kind: no file
    // Tries: a forces.cu that is a folder.
    // Stopped by: the grader takes files alone.
    """
    (folder / "forces.cu").mkdir()


def hundred_megabytes(folder):
    """
    // Kind: large files
    // Tries: a forces.cu of 100 MB.
    // Stopped by: a limit of a file's size.
    """
    with open(folder / "forces.cu", "wb") as file:
        file.truncate(100 << 20)


def many_files(folder):
    """
    // Kind: large files
    // Tries: 1 GB of sources in 1,100 headers that are each small enough.
    // Stopped by: a limit of the size of all, past which they are not taken. Its forces are right.
    // Most: 100
    """
    shutil.copy(HONEST, folder / "forces.cu")
    for number in range(1100):
        with open(folder / f"part{number}.hpp", "wb") as file:
            file.truncate(1 << 20)


def no_text(folder):
    """
    // Kind: no text
    // Tries: a forces.cu of bytes that are no text: NUL, and no UTF-8.
    // Stopped by: the compiler.
    """
    (folder / "forces.cu").write_bytes(bytes(range(256)) * 100 + b"\0" * 1000 + HONEST.read_bytes())


def names_that_turn_round(folder):
    """
    // Kind: odd names
    // Tries: files whose names look like others': letters of another alphabet, marks that turn a line round, nothing at all.
    // Stopped by: plain names alone are taken, and others are told as they are. Its forces are right.
    // Most: 100
    // Trusted: 100
    """
    shutil.copy(HONEST, folder / "forces.cu")
    for name in ("f\u043erces.cu", "forces\u202euc.h", "\u200b.h", "forces.cu\u00a0", "\u2066100 of 100\u2069.cuh", "A\u0301" * 60 + ".h",
                 "forces.CU", "\uff1d1+1.h"):
        (folder / name).write_text("#error taken\n")


def thousands_of_names(folder):
    """
    // Kind: large files
    // Tries: 20,000 files with long names, to be told in the report.
    // Stopped by: a number of names past which they are counted. Its forces are right.
    // Most: 100
    """
    shutil.copy(HONEST, folder / "forces.cu")
    for number in range(20000):
        (folder / f"{number}{'x' * 200}.txt").touch()


def local_socket(folder):
    """
    // Kind: no file
    // Tries: a forces.cu that is a socket, and headers that are devices by links.
    // Stopped by: the grader takes files alone.
    """
    with socket.socket(socket.AF_UNIX) as made, inside(folder) as place:
        made.bind(f"{place}/forces.cu")
    (folder / "zero.h").symlink_to("/dev/zero")


@contextlib.contextmanager
def inside(folder):
    """A short name for a folder: that of a socket has 108 bytes."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{handle}"
    finally:
        os.close(handle)


def raw_string_of_markers(folder):
    """
    // Kind: endless compilation
    // Tries: to keep the translator busy: a raw string of 60,000 lines that look like the compiler's own markers.
    // Stopped by: a translator whose time grows as the text does, or the time of a compilation.
    // Most: 100
    """
    lines = "# 1 \"x\" 3\n" * 60000
    text = HONEST.read_text()
    (folder / "forces.cu").write_text(f"{text}\n[[maybe_unused]] static const char* const markers = R\"x(\n{lines})x\";\n")


MADE = (odd_names, link_to_reference, link_to_passwords, link_out_of_the_folder, pipe, directory, hundred_megabytes,
        many_files, no_text, names_that_turn_round, thousands_of_names, local_socket, raw_string_of_markers,
        forces_without_ranks)


def hostile_submissions():
    return [*kept(), *(headed(make.__name__, textwrap.dedent(make.__doc__).lstrip(), make) for make in MADE)]


def written(hostile, folder, target):
    """Writes the submission into the folder, with what all of them include."""
    folder.mkdir()
    for name in ("honest.hpp", "host_sum.hpp", "program_sum.hpp", "serial.hpp"):
        shutil.copy(HERE / name, folder)
    (folder / "target.hpp").write_text(target)
    hostile.fill(folder)
