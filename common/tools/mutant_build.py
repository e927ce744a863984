"""Compiles a changed forces.cu as the build tree compiles the step's own, and links it with what the tree has built."""

import shlex
import subprocess
from pathlib import Path

from programs import ROOT


class DoesNotCompile(Exception):
    """The compiler's first complaint."""


class StepBuild:
    """How one step's program is built in a tree: the commands of Ninja's own."""

    def __init__(self, build, step):
        self.build = Path(build)
        self.step = step
        listing = subprocess.run(["ninja", "-C", build, "-t", "commands", step], check=True, text=True,
                                 capture_output=True).stdout
        commands = [words(line) for line in listing.splitlines()]
        source = str(ROOT / step / "forces.cu")
        self.compiling = next(c for c in commands if source in c)
        self.object = after(self.compiling, "-o")
        self.linking = next(c for c in commands if self.object in c and after(c, "-o") == f"{step}/{step}")

    def program(self, folder, text):
        """Path of the program made from the forces.cu of this text, both under `folder`."""
        # Named as the step's own, for reports name the file with its folder.
        source = Path(folder) / self.step / "forces.cu"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        changed = source.with_suffix(".o")
        program = source.with_name(self.step)
        compiling = without_dependencies(self.compiling)
        compiling = [str(source) if w == str(ROOT / self.step / "forces.cu") else w for w in compiling]
        compiling[compiling.index("-o") + 1] = str(changed)
        compiling = [w for w in compiling if not w.startswith("-Werror")]  # a mistake may well earn a warning
        compiling += ["-I", str(ROOT / self.step)]
        if self.build.name != "gpu":
            compiling.append("-O1")  # twice as fast to compile as -O3
        self.call(compiling)
        linking = [str(changed) if w == self.object else w for w in self.linking]
        linking[linking.index("-o") + 1] = str(program)
        self.call(linking)
        return program

    def call(self, command):
        result = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr + result.stdout).splitlines()
            raise DoesNotCompile(next((line for line in lines if "error" in line), f"status {result.returncode}"))


def words(line):
    """A command of Ninja's, without the `: && ... && :` around a link."""
    return [word for word in shlex.split(line) if word not in (":", "&&")]


def after(command, option):
    return command[command.index(option) + 1] if option in command else None


def without_dependencies(command):
    kept = []
    skip = False
    for word in command:
        if not skip and word not in ("-MD", "-MT", "-MF"):
            kept.append(word)
        skip = not skip and word in ("-MT", "-MF")
    return kept
