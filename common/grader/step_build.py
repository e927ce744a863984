"""Compiles what a step's changed files go into as the build tree compiles the step, and links it with what the tree has
built."""

import functools
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.executor.nvcc.toolchain import PLAIN_NAMES
from common.grader.complaints import DoesNotBuild

# Threads of a program that does not take 256; None: it has no such option.
BLOCKS = {"05_triangular_map": 64, "06_tree_walk": None, "06_lists": 64, "09_tensor_cores": None, "09_tuned": None}
TREES = {"06_tree_walk", "07_device_tree", "10_fast_multipole"}  # which do not compute all pairs


def write_files(folder, texts):
    """Texts by name, which may have a folder: "lists/walk.cuh"."""
    for name, text in texts.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class DoesNotCompile(Exception):
    """The compiler's first complaint."""


class StepBuild:
    """How one step's program is built in a tree: the commands of Ninja's own."""

    def __init__(self, build, step, target=None):
        """target: the program, the step's own unless it is named"""
        self.build = Path(build).resolve()  # where the commands are run
        self.step = step
        self.target = target or step
        self.commands = [words(line) for line in self.ninja("commands", self.target).splitlines()]

    def ninja(self, tool, *targets):
        return subprocess.run(["ninja", "-C", self.build, "-t", tool, *targets], check=True, text=True,
                              capture_output=True).stdout

    def program(self, folder, changed):
        """Path of the program made with these texts, by name, instead of the step's files; all under `folder`."""
        return self.linked(folder, self.objects(folder, changed))

    def objects(self, folder, changed):
        """Objects under `folder` that are compiled again because of these texts, by those of the build tree."""
        # The folder is named like the step's, because reports name the file with its folder. It has all files, because they
        # include each other.
        place = Path(folder) / self.step
        shutil.copytree(ROOT / self.step, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("exercises"))
        write_files(place, changed)
        new = {str(path) for path, text in ((ROOT / self.step / name, text) for name, text in changed.items())
               if not path.is_file() or path.read_text() != text}
        # The suite's own sources too, where they include the step's headers.
        using = [c for c in self.own if not self.dependencies[after(c, "-o")].isdisjoint(new)]
        for compiling in using:
            self.check_not_within_another(compiling, new)
        return dict(self.each(lambda compiling: self.made(compiling, place), using))

    @functools.cached_property
    def own(self):
        """The commands that compile what can include the step's files."""
        return [c for c in self.commands if "-c" in c and f"-I{ROOT / self.step}" in c]

    def check_not_within_another(self, compiling, new):
        """Refuses a unity build that names the step's own file by its whole path: the new file would not be compiled."""
        within = [path for path in new & self.dependencies[after(compiling, "-o")] if path.endswith((".cpp", ".cu"))]
        if "/Unity/" in after(compiling, "-o") and within:
            raise BadInput(f"{self.build}: {Path(min(within)).relative_to(ROOT)} is compiled with others as one file (unity "
                           "build); build it by itself")

    each = staticmethod(map)  # how files are compiled: one by one

    def made(self, compiling, place):
        """(the build tree's object, that which is made in its stead)."""
        made = place / Path(after(compiling, "-o")).name
        self.call(self.compiled(compiling, place, made))
        return after(compiling, "-o"), str(made)

    def linked(self, folder, objects):
        """Path of the program with these objects instead of the build tree's."""
        linking = next(c for c in self.commands if after(c, "-o") == f"{self.step}/{self.target}")
        # The tree's own note of what a program is linked from stays as it is. Linkers word their messages otherwise: the
        # system's is asked, whichever the tree has.
        without = ("-Wl,--dependency-file", "-fuse-ld=")
        linking = [objects.get(word, word) for word in linking if not word.startswith(without)]
        program = Path(folder) / self.step / self.target
        linking[linking.index("-o") + 1] = str(program)
        try:
            self.call([*linking, *self.quick_linker()])
        except (DoesNotBuild, DoesNotCompile):  # in the words of the linker that each system has
            self.call(linking)
        return program

    def quick_linker(self):
        """LLVM's where it is installed: it takes a third of the time."""
        there = self.build.name != "gpu" and shutil.which("ld.lld")
        return ["-fuse-ld=lld", "-Wl,--threads=1"] if there else []

    @functools.cached_property
    def dependencies(self):
        """The files that each object of these commands was made of."""
        path = functools.lru_cache(None)(lambda name: str((self.build / name).resolve()))  # most are in many lists
        found = {}
        for line in self.ninja("deps", *(after(c, "-o") for c in self.own)).splitlines():
            made, _, told = line.partition(": ")
            if line.startswith(" "):
                files.add(path(line.strip()))
            elif told == "deps not found":  # nothing would be compiled, and the step itself taken for what is changed
                raise BadInput(f"{self.build}: the build does not say what {made} was made from; build it again")
            elif line:
                files = found[made] = set()
        return found

    def compiled(self, compiling, place, made):
        """The command that makes the object `made` with the files of `place` instead of the step's."""
        own = re.compile(rf"^(-I|){re.escape(str(ROOT / self.step))}(?=/|$)")
        command = [own.sub(lambda match: match[1] + str(place), word) for word in without_dependencies(compiling)]
        # Files that are included by the name of the step's folder are looked for next to `place` first.
        if f"-I{ROOT}" in command:
            command.insert(command.index(f"-I{ROOT}"), f"-I{place.parent}")
        command[command.index("-o") + 1] = str(made)
        # A mistake may well earn a warning; nvcc's option is "-Werror all-warnings".
        command = [word for word in command if not word.startswith("-Werror") and word != "all-warnings"]
        if self.build.name != "gpu":
            command += ["-O1", *PLAIN_NAMES]  # -O1: twice as fast to compile as -O3
        return command

    def call(self, command):
        result = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr + result.stdout).splitlines()
            raise DoesNotCompile(next((line for line in lines if "error" in line), f"status {result.returncode}"))


def block_option(program):
    """The option that gives a program's runs always the same block."""
    block = BLOCKS.get(program, 256)
    return [] if block is None else [f"--block={block}"]


def words(line):
    """A command of Ninja's, without the `: && ... && :` around a link."""
    return [word for word in shlex.split(line) if word not in (":", "&&")]


def after(command, option):
    return command[command.index(option) + 1] if option in command else None


def without_dependencies(command):
    """Without -MD, -MT NAME and -MF NAME."""
    return [word for before, word in zip(["", *command], command)
            if word not in ("-MD", "-MT", "-MF") and before not in ("-MT", "-MF")]
