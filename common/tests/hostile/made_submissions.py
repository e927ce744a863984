"""Hostile submissions that are more than a text: several files, odd names, links, large files. Each function writes one into a
folder. Its docstring is the header, which the entries of the text files contain themselves."""

import contextlib
import os
import socket

from common.base.command_line import ROOT
from common.grader.exercises.files import exercise
from common.grader.step_build import write_files

HONEST = '#include "honest.hpp"\n\nvoid answer(Call call) { honest(call); }\n'  # its forces are correct


def exchange_by(number, text, folder):
    """Writes the files of this exercise of ranks: the text as its own file, and the others correct."""
    asked = exercise(number)
    write_files(folder, {**asked.solution(), asked.main: text})


def forces_without_ranks(folder):
    """
    // Task: 8.1
    // Kind: others' files
    // Tries: hands in the starter, and next to it a file of the suite that makes one rank of any number of ranks.
    // Stopped by: the grader, which takes only the files that the exercise asks for.
    """
    asked = exercise("8.1")
    exchange_by(asked.number, asked.starter()[asked.main], folder)
    options = (ROOT / "08_many_gpus" / "options.hpp").read_text()
    options = options.replace("int ranks = 3;", "int ranks = 1, ignored = 3;").replace('("ranks", ranks,', '("ranks", ignored,')
    write_files(folder, {"options.hpp": options})


def build_tricks(folder):
    """
    // Kind: files of a build
    // Tries: makes the build run files next to the kernel: files of CMake, a Makefile, and files of Python.
    // Stopped by: the grader, which takes only source files and calls the compiler itself. Its forces are correct.
    // Most: 100
    // Trusted: 100
    """
    cmake = 'file(WRITE "$ENV{NBODY_HOSTILE_CANARY}" changed)\nexecute_process(COMMAND touch /tmp/hostile-left-cmake)\n'
    python = 'open("/tmp/hostile-left-python", "w").close()\n'  # if Python looked here first, before its own library
    write_files(folder, {"forces.cu": HONEST, "CMakeLists.txt": cmake, "step.cmake": cmake, "json.py": python,
                         "conftest.py": python, "Makefile": "all:\n\ttouch /tmp/hostile-left-make\n"})


def shadow_headers(folder):
    """
    // Kind: own headers
    // Tries: adds headers with the names of headers of the suite and of the system, next to the kernel and in folders. In
    //   these headers, the checker's functions do nothing and no race is found.
    // Stopped by: the grader, which takes no folders. Headers of the suite are included by folder. Its forces are correct.
    // Most: 100
    // Trusted: 100
    """
    beside = dict.fromkeys(("check.hpp", "cooperative_groups.h", "cuda.hpp", "step.hpp"), "#pragma once\n#define NBODY_CHECK(...)\n")
    inside = dict.fromkeys(("cuda/cuda.hpp", "driver/step.hpp"), "#error the submission's own\n")
    write_files(folder, {**beside, **inside, "forces.cu": f'#include "cooperative_groups.h"\n#include "cuda.hpp"\n{HONEST}'})


def odd_names(folder):
    """
    // Kind: odd names
    // Tries: hands in files whose names are options, commands, two lines, or no text at all.
    // Stopped by: the grader, which calls no shell and takes only plain names. Its forces are correct.
    // Most: 100
    // Trusted: 100
    """
    (folder / "forces.cu").write_text(HONEST)
    for name in (b"-o.hpp", b"--help.cuh", b"@args.h", b"$(touch hostile-left).hpp", b"`id`.h", b"a b.cuh", b"it's \"q\".h",
                 b"two\nlines.hpp", b".hidden.h", b"caf\xe9.h", b"\xff\xfe.cuh", b"\x1b[2J.h", b"%s%n.h", b"a" * 250 + b".h"):
        with open(os.fsencode(folder) + b"/" + name, "wb") as file:
            file.write(b"#error taken\n")


def link_to_reference(folder):
    """
    // Kind: links
    // Tries: hands in a link to the step's forces.cu.
    // Stopped by: the grader, which takes no links.
    """
    (folder / "forces.cu").symlink_to(ROOT / "02_tiled" / "forces.cu")


def link_to_passwords(folder):
    """
    // Kind: links
    // Tries: makes the compiler print another file as an error: a header is a link to the list of users.
    // Stopped by: the grader, which takes no links.
    """
    (folder / "forces.cu").write_text('#include "mine.hpp"\n' + HONEST)
    (folder / "mine.hpp").symlink_to("/etc/passwd")


def link_out_of_the_folder(folder):
    """
    // Kind: links
    // Tries: hands in a header folder that is a link to the suite, and a link to itself.
    // Stopped by: the grader, which takes no links.
    """
    (folder / "forces.cu").write_text('#include "suite/02_tiled/forces.cu"\n')
    (folder / "suite").symlink_to(ROOT)
    (folder / "loop.hpp").symlink_to("loop.hpp")


def pipe(folder):
    """
    // Kind: no file
    // Tries: hands in a named pipe as forces.cu. A program that reads it waits for ever.
    // Stopped by: the grader, which takes only regular files.
    """
    os.mkfifo(folder / "forces.cu")
    os.mkfifo(folder / "answers.txt")


def directory(folder):
    """
    // Kind: no file
    // Tries: hands in a folder as forces.cu.
    // Stopped by: the grader, which takes only regular files.
    """
    (folder / "forces.cu").mkdir()


def hundred_megabytes(folder):
    """
    // Kind: large files
    // Tries: hands in a forces.cu of 100 MB.
    // Stopped by: a limit on the size of a file.
    """
    with open(folder / "forces.cu", "wb") as file:
        file.truncate(100 << 20)


def many_files(folder):
    """
    // Kind: large files
    // Tries: hands in about 1 GB of source text in 1,100 headers. Each header is small enough.
    // Stopped by: a limit on the total size, beyond which files are not taken. Its forces are correct.
    // Most: 100
    """
    (folder / "forces.cu").write_text(HONEST)
    for number in range(1100):
        with open(folder / f"part{number}.hpp", "wb") as file:
            file.truncate(1 << 20)


def no_text(folder):
    """
    // Kind: no text
    // Tries: hands in a forces.cu whose bytes are not text: they contain NUL and are not valid UTF-8.
    // Stopped by: the compiler.
    """
    (folder / "forces.cu").write_bytes(bytes(range(256)) * 100 + b"\0" * 1000 + HONEST.encode())


def names_that_turn_round(folder):
    """
    // Kind: odd names
    // Tries: hands in files whose names look like other names: they use letters of another alphabet, marks that reverse
    //   the direction of a line, or invisible characters.
    // Stopped by: the grader, which takes only plain names and shows other names as they are. Its forces are correct.
    // Most: 100
    // Trusted: 100
    """
    (folder / "forces.cu").write_text(HONEST)
    for name in ("f\u043erces.cu", "forces\u202euc.h", "\u200b.h", "forces.cu\u00a0", "\u2066100 of 100\u2069.cuh", "A\u0301" * 60 + ".h",
                 "forces.CU", "\uff1d1+1.h"):
        (folder / name).write_text("#error taken\n")


def thousands_of_names(folder):
    """
    // Kind: large files
    // Tries: hands in 20,000 files with long names, so that the report lists them all.
    // Stopped by: a limit on the number of names, beyond which the report only counts them. Its forces are correct.
    // Most: 100
    """
    (folder / "forces.cu").write_text(HONEST)
    for number in range(20000):
        (folder / f"{number}{'x' * 200}.txt").touch()


def local_socket(folder):
    """
    // Kind: no file
    // Tries: hands in a socket as forces.cu, and links to devices as headers.
    // Stopped by: the grader, which takes only regular files.
    """
    with socket.socket(socket.AF_UNIX) as made, inside(folder) as place:
        made.bind(f"{place}/forces.cu")
    (folder / "zero.h").symlink_to("/dev/zero")


@contextlib.contextmanager
def inside(folder):
    """Gives a folder a short name, because that of a socket has 108 bytes."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{handle}"
    finally:
        os.close(handle)


def raw_string_of_markers(folder):
    """
    // Kind: endless compilation
    // Tries: contains a string of 60,000 lines that look like the compiler's own markers, so that the translator needs
    //   very long.
    // Stopped by: a translator whose time grows linearly with the text, or the time limit of a compilation.
    // Most: 100
    """
    lines = "# 1 \"x\" 3\n" * 60000
    text = HONEST
    (folder / "forces.cu").write_text(f"{text}\n[[maybe_unused]] static const char* const markers = R\"x(\n{lines})x\";\n")


MADE = (build_tricks, shadow_headers, odd_names, link_to_reference, link_to_passwords, link_out_of_the_folder, pipe, directory, hundred_megabytes,
        many_files, no_text, names_that_turn_round, thousands_of_names, local_socket, raw_string_of_markers,
        forces_without_ranks)
