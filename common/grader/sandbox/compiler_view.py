"""Finds the files that a compiler's or linker's command needs, and the part of the suite that it may see."""

import re
import shutil
from pathlib import Path

from common.base.command_line import ROOT, lies_in


def compiler_paths(command, folder):
    """Returns the paths that a compiler's or linker's command reads in `folder`: installation, header folders, named files."""
    own = {Path(word).name for word in command if word.startswith("-I")}  # for example that of the step
    tools = [*command[:2], *(word[len("-ccbin="):] for word in command if word.startswith("-ccbin="))]
    paths = [path for tool in tools for path in installation(tool)]
    for before, word in zip(["", *command], command):
        attached = word.startswith(("-I", "-L")) and len(word) > 2
        path = Path(folder) / (word[2:] if attached else word.replace("-fplugin=", "", 1))
        if path.is_file():
            paths.append(path)
        elif path.is_dir() and (attached or before in ("-I", "-isystem")):
            paths += steps(own) if path.resolve() == ROOT else headers(path.resolve())
    return paths


def installation(tool):
    """Returns the folder of a program and its files, or nothing if it belongs to the system. For the launcher of a build
    folder, returns only the program, because the folder also has the solutions' objects.
    """
    found = shutil.which(tool)
    if not found:
        return []
    folder = Path(found).resolve().parents[1]
    if folder in (Path("/"), Path("/usr")):
        return []
    near = folder == Path.home() or lies_in(ROOT, folder) or lies_in(folder, ROOT)
    return [Path(found) if near else folder]


def steps(own):
    """Returns the headers of steps that are included with their folder's name: steps that others use, except those in `own`,
    for which the command has another folder.
    """
    folders = [path.parent for path in ROOT.glob("[0-9]*/CMakeLists.txt") if path.parent.name not in own]
    return [path for folder in folders for path in headers(folder)]


def headers(folder):
    """Returns the part of a folder of headers that submissions may see: in a step, what others include, without solutions."""
    if folder == ROOT / "common":
        return [folder / name for name in ("base", "bodies", "cuda", "driver", "executor", "grader/judge", "measure",
                                          "physics", "ranks")]
    if folder.parent == ROOT and folder.name[0].isdigit():
        return [path for path in folder.iterdir() if path.name != "exercises"] if is_used(folder.name) else []
    return [folder]


def is_used(step):
    """Returns whether another step uses it. A submission for this step sees its own files instead."""
    uses = re.compile(rf"\bUSES (?:\d\d_\w+\s+)*{step}\b")
    return any(uses.search(file.read_text()) for file in ROOT.glob("[0-9]*/CMakeLists.txt"))
