"""Compiles the objects that depend on a step's changed files, as the build tree does, and links them with the other objects."""

import functools
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.base.whole_file import write_whole
from common.executor.nvcc.toolchain import PLAIN_NAMES
from common.grader.complaints import DoesNotBuild
from common.grader.steps import facts, step_of


def write_files(folder, texts):
    """Writes texts by name. A name may have a folder: "lists/walk.cuh"."""
    for name, text in texts.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)


OPENED = re.compile(r"(?m)^((?:}  // )?namespace )(nbody(?:::inline NBODY_PRECISION::\w+)?)(?= \{$|$)")


def in_own_namespace(step, texts):
    """Returns texts, by name, in the step's namespace. A submission may have begun as the kernel of another step, or open only
    nbody.
    """
    folder = ROOT / step
    files = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}

    def opened(name):
        return OPENED.search((folder / (name if name in files else "forces.cu")).read_text())
    return {name: OPENED.sub(rf"\1{own[2]}", text) if (own := opened(name)) else text for name, text in texts.items()}


class DoesNotCompile(Exception):
    """Carries the compiler's first complaint."""


class StepBuild:
    """Builds one step's program with the commands of Ninja in a build tree."""

    def __init__(self, build, step, target=None):
        """target: the program; default: the step's own"""
        self.build = Path(build).resolve()  # working directory of the commands
        self.step = step
        self.target = target or step
        self.commands = [words(line) for line in self.ninja("commands", self.target).splitlines()]

    def ninja(self, tool, *targets):
        return subprocess.run(["ninja", "-C", self.build, "-t", tool, *targets], check=True, text=True,
                              capture_output=True).stdout

    def program(self, folder, changed):
        """Returns the path of a program with these texts, by name, instead of the step's files. All files are under `folder`.
        """
        return self.linked(folder, self.objects(folder, changed))

    def objects(self, folder, changed):
        """Returns objects under `folder` that are compiled again because of these texts, by their names in the build tree."""
        # The folder has the step's name, because reports show it. It has all files, because they include each other.
        place = Path(folder) / self.step
        changed = in_own_namespace(self.step, changed)
        shutil.copytree(ROOT / self.step, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("exercises"))
        write_files(place, changed)
        new = {str(path) for path, text in ((ROOT / self.step / name, text) for name, text in changed.items())
               if not path.is_file() or path.read_text() != text}
        # Includes the suite's own sources that include the step's headers.
        using = [c for c in self.own if not self.dependencies[after(c, "-o")].isdisjoint(new)]
        for compiling in using:
            self.check_not_within_another(compiling, new)
        return dict(self.each(lambda compiling: self.made(compiling, place), using))

    @functools.cached_property
    def own(self):
        """Returns the commands that compile files that can include the step's files."""
        return [c for c in self.commands if "-c" in c and f"-I{ROOT / self.step}" in c]

    def check_not_within_another(self, compiling, new):
        """Raises BadInput if a unity build names the step's file with its whole path: the new file would not be compiled."""
        within = [path for path in new & self.dependencies[after(compiling, "-o")] if path.endswith((".cpp", ".cu"))]
        if "/Unity/" in after(compiling, "-o") and within:
            raise BadInput(f"{self.build}: {Path(min(within)).relative_to(ROOT)} is compiled with others as one file (unity "
                           "build); build it by itself")

    each = staticmethod(map)  # maps a function over files; one after the other

    def made(self, compiling, place):
        """Returns (the build tree's object, its replacement)."""
        made = place / Path(after(compiling, "-o")).name
        self.call(self.compiled(compiling, place, made))
        return after(compiling, "-o"), str(made)

    def linked(self, folder, objects):
        """Returns the path of the program with these objects instead of the build tree's."""
        linking = next(c for c in self.commands if after(c, "-o") == f"{self.step}/{self.target}")
        # Keeps the tree's own dependency file. Uses the system's linker, because linkers word their messages differently.
        without = ("-Wl,--dependency-file", "-fuse-ld=")
        linking = [objects.get(word.replace("/./", "/"), word) for word in linking if not word.startswith(without)]
        program = Path(folder) / self.step / self.target
        linking[linking.index("-o") + 1] = str(program)
        try:
            self.call([*linking, *self.quick_linker()])
        except (DoesNotBuild, DoesNotCompile):  # repeats with the linker that each system has
            self.call(linking)
        return program

    def quick_linker(self):
        """Uses LLVM's linker if it is installed, because it takes a third of the time."""
        there = self.build.name != "gpu" and shutil.which("ld.lld")
        return ["-fuse-ld=lld", "-Wl,--threads=1"] if there else []

    @functools.cached_property
    def dependencies(self):
        """Returns the files from which each object of these commands was made."""
        path = functools.lru_cache(None)(lambda name: str((self.build / name).resolve()))  # most files are in many lists
        found = {}
        for line in self.ninja("deps", *(after(c, "-o") for c in self.own)).splitlines():
            made, _, told = line.partition(": ")
            if line.startswith(" "):
                files.add(path(line.strip()))
            elif told == "deps not found":  # nothing would be compiled, and the step itself would pass for the submission
                raise BadInput(f"{self.build}: the build does not say what {made} was made from; build it again")
            elif line:
                files = found[made] = set()
        return found

    def compiled(self, compiling, place, made):
        """Returns the command that makes the object `made` with the files of `place` instead of the step's."""
        own = re.compile(rf"^(-I|){re.escape(str(ROOT / self.step))}(?=/|$)")
        command = [own.sub(lambda match: match[1] + str(place), word) for word in without_dependencies(compiling)]
        # Finds files that are included with the name of the step's folder next to `place` first.
        if f"-I{ROOT}" in command:
            command.insert(command.index(f"-I{ROOT}"), f"-I{place.parent}")
        command[command.index("-o") + 1] = str(made)
        # A mistake may cause a warning; nvcc's option is "-Werror all-warnings".
        command = [word for word in command if not word.startswith("-Werror") and word != "all-warnings"]
        if self.build.name != "gpu":
            command += ["-O1", *PLAIN_NAMES]  # twice as fast to compile as with -O3
        return command

    def call(self, command):
        result = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr + result.stdout).splitlines()
            raise DoesNotCompile(next((line for line in lines if "error" in line), f"status {result.returncode}"))


def block_option(program):
    """Returns the option with which a program's runs always have the same block."""
    step = facts(step_of(program))
    block = step.block_of.get(program, step.block)
    return [] if block is None else [f"--block={block}"]


def words(line):
    """Returns a command of Ninja without the `: && ... && :` around a link."""
    return [word for word in shlex.split(line) if word not in (":", "&&")]


def after(command, option):
    return command[command.index(option) + 1] if option in command else None


def without_dependencies(command):
    """Returns the command without -MD, -MT NAME and -MF NAME."""
    return [word for before, word in zip(["", *command], command)
            if word not in ("-MD", "-MT", "-MF") and before not in ("-MT", "-MF")]
