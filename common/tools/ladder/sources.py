"""Finds the files that a program is compiled from, and tells from git whether they have changed since a record was made.

A program is compiled from its own file, from what that includes, and from the .cpp or .cu next to a header. This covers what
is measured: the steps, and in common/ the folders PARTS. Files that print, read options or check results change no number.
"""

import functools
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.tools.build import step_names

PARTS = tuple(f"common/{name}/" for name in ("bodies", "cuda", "measure", "physics", "ranks"))
# Every program has these in addition to its own file.
SHARED = ("common/driver/step_simulation.cpp", "common/driver/step.hpp", "common/driver/step_forces.hpp", "common/measure/timing.cpp",
          "common/measure/device_timing.cpp")
# The code that makes scenes changes no number, because checksums in scenes_test.cpp fix the bodies.
SCENES = re.compile(r"common/bodies/\w*(scenes|galaxy|solar|drawing|random)\w*\.")
INCLUDED = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*#\s*include[^\n]*|\s+", re.DOTALL | re.MULTILINE)
NO_BLOB = re.compile("0+")
CHANGE = re.compile(r":\S+ \S+ (\w+) (\w+) \w+\t([^\t]+)(?:\t(.+))?")  # blobs before and after, path, path after a renaming
NO_HISTORY = "compares records with git's history, but {}"


def git(*words):
    """Returns what git prints; None if it fails or is not installed."""
    try:
        ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, errors="replace")
    except OSError:
        return None
    return ran.stdout if ran.returncode == 0 else None


def is_repository():
    """Returns whether git knows this folder as a repository, and not as a part of another one."""
    top = git("rev-parse", "--show-toplevel")
    return top is not None and Path(top.strip()).resolve() == ROOT.resolve()


def own_files(program):
    """Returns the paths of a program's own sources; none if the suite has no such program."""
    step = next((step for step in step_names() if step[:2] == program[:2]), None)
    if step is None:
        places = [ROOT / "common" / "physics" / f"{program}.cpp", ROOT / "common" / "driver" / f"{program}_main.cpp",
                  *ROOT.glob(f"[0-9][0-9]_*/host/{program}.cpp")]
        return [path for path in places if path.exists()]
    folder = ROOT / step
    if program == step and not (folder / "forces.cu").exists():  # a step of several processes
        return [path for path in folder.rglob("*.c*") if path.suffix in (".cu", ".cpp") and not {"exercises", "tests"} & {*path.parts}]
    named = re.search(rf"add_\w+\({program} ([\w/]+\.(?:cu|cpp))", (folder / "CMakeLists.txt").read_text())
    name = named[1] if named else {step: "forces.cu", f"{step[:2]}_tuned": "tuned.cu"}.get(program)
    return [folder / name] if name and (folder / name).exists() else []


def is_measured(path):
    """Returns whether a file is of a step or of one of the PARTS. path: relative to the suite"""
    if SCENES.match(path):
        return False
    return re.match(r"\d\d_", path) is not None or path.startswith(PARTS) or path in SHARED


@functools.lru_cache(maxsize=None)
def files_of(program):
    """Returns the paths, relative to the suite, of the files that the program is compiled from; none if there is no such program."""
    own = own_files(program.replace("_fp64", ""))
    if not own:
        return frozenset()
    step = ROOT / own[0].relative_to(ROOT).parts[0]
    lists = (step / "CMakeLists.txt").read_text()
    used = [ROOT / word for words in re.findall(r"USES ([\w ]+)", lists) for word in words.split() if re.match(r"\d\d_", word)]
    found, todo = set(), [*own, *(ROOT / name for name in SHARED)]
    while todo:
        path = todo.pop()
        name = path.relative_to(ROOT).as_posix()
        if name in found or not path.exists() or not is_measured(name):
            continue
        found.add(name)
        for included in INCLUDED.findall(path.read_text()):
            folders = [path.parent, own[0].parent, step, *used, ROOT, ROOT / "common"]
            places = [Path(os.path.normpath(folder / included)) for folder in folders]
            if header := next((place for place in places if place.exists()), None):
                todo += [header, header.with_suffix(".cpp"), header.with_suffix(".cu")]
    return frozenset(found)


def measured_commit(programs):
    """Returns the commit that records name. Refuses files that differ from it, if the programs are compiled from them."""
    if not is_repository():
        if named := os.environ.get("NBODY_COMMIT"):
            return named
        raise BadInput("a record names its commit, but this folder is no git repository; give the commit in NBODY_COMMIT")
    paths = sorted(set().union(*map(files_of, programs)))
    changed = git("status", "--porcelain", "--", *paths, ":(glob)*/CMakeLists.txt", "common/*.cmake") or ""
    if changed:
        files = [line[3:] for line in changed.splitlines()]
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        raise BadInput(f"{files[0]}{more} differs from the last commit, which would name what is measured; commit first")
    return git("rev-parse", "--short", "HEAD").strip()


@dataclass(frozen=True)
class Change:
    before: str  # blob
    after: str
    path: str
    renamed: str  # path before


@functools.lru_cache(maxsize=None)
def code(blob):
    """Returns a file's text without comments, includes and blanks."""
    return "" if NO_BLOB.fullmatch(blob) else NO_CODE.sub("", git("cat-file", "blob", blob))


class History:
    """The commits of this checkout, the newest first, with the files that they changed."""

    def __init__(self):
        if not is_repository():
            raise BadInput(NO_HISTORY.format("this folder is no git repository"))
        if git("rev-parse", "--is-shallow-repository").strip() == "true":
            raise BadInput(NO_HISTORY.format("this checkout is shallow; git fetch --unshallow gets the rest"))
        self.commits = []
        for line in git("log", "--raw", "-M", "--no-abbrev", "--format=%H %cs").splitlines():
            if match := CHANGE.fullmatch(line):
                before, after, path, new = match.groups()
                self.commits[-1][2].append(Change(before, after, new or path, path))
            elif line:
                self.commits.append((*line.split(), []))

    def place(self, commit):
        """Returns how many commits are newer; None if there is no such commit."""
        if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
            return None
        return next((i for i, (name, *_) in enumerate(self.commits) if name.startswith(commit)), None)

    def first_change(self, files, place):
        """Returns (commit, day, path) of the first change to the code of one of these files; None if there is none."""
        names, found = set(files), []
        for name, day, changes in self.commits[:place]:
            for change in changes:
                if change.path in names:
                    names.add(change.renamed)
                    found.append((name[:8], day, change))
        for name, day, change in reversed(found):
            if code(change.before) != code(change.after):
                return name, day, change.path
        return None
