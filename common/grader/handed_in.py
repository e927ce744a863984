"""Finds the files that were handed in: in a folder, or in the only folder below it that has them.

As a script, it prints that folder: handed_in.py FOLDER NAME... If there is none, it says why, and ends with status 1.
"""

import os
import re
import sys
from pathlib import Path

DEPTH = 3  # course systems put an upload into a folder, which may have that of an archive
MOST_FOLDERS = 1000
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
# Parts of a name that browsers and editors add: "forces (1).cu", "forces.cu.txt", "forces - Copy.cu", "forces_2.cu".
ADDED = re.compile(r"\.txt$|[ _-]*\(\d+\)|[ _-]+(copy|kopie|final|new|\d+)(?=\.|$)")


def is_hidden(path):
    """Returns whether a file belongs to the instructor's system, not to a student: .git, .DS_Store, __MACOSX."""
    return path.name.startswith((".", "__MACOSX"))


def holds(folder, names):
    return all(os.path.lexists(folder / name) for name in names)


def found_folder(folder, names):
    """Returns (the folder that has the files of these names, None) or (None, why there is none)."""
    if folder.is_symlink():  # it could point to another student's
        return None, "a symbolic link instead of a folder; links are not followed"
    level, seen = [folder], 0
    for _ in range(DEPTH):
        having = [place for place in level if holds(place, names)]
        if len(having) == 1:
            return having[0], None
        if having:
            shown = ", ".join(str(place.relative_to(folder)) for place in having[:5])
            return None, f"{' and '.join(names)} in {len(having)} folders: {shown}{', ...' if len(having) > 5 else ''}"
        seen += len(level)
        level = [path for place in level for path in sorted(place.iterdir())
                 if not is_hidden(path) and path.is_dir() and not path.is_symlink()][:max(0, MOST_FOLDERS - seen)]
    return None, why_none(folder, names)


def why_none(folder, names):
    """Returns "no forces.cu; is it 'forces (1).cu'? Rename it": a likely reason why a file is missing."""
    files = [path for path in sorted(folder.rglob("*"))[:MOST_FOLDERS] if not is_hidden(path)]
    if not files:
        return "an empty folder"
    absent = [name for name in names if not os.path.lexists(folder / name)]
    missing = " and ".join(absent)
    for name in absent:
        for path in files:
            if path.name != name and ADDED.sub("", path.name.lower()) == ADDED.sub("", Path(name).name.lower()):
                kind = "folder" if path.is_dir() else "file"
                return f"no {missing}; is it the {kind} '{path.relative_to(folder)}'? Rename it to {name}"
    for path in files:
        if path.suffix.lower() in ARCHIVES and path.is_file():
            return f"no {missing}; '{path.relative_to(folder)}' is an archive: unpack it"
    sources = [path.name for path in files if path.suffix in (".cu", ".cuh", ".cpp", ".c", ".txt") and path.name not in names]
    return f"no {missing}" + (f"; the only source is '{sources[0]}'" if len(sources) == 1 else "")


def add_arguments(parser):
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+")


def run(options):
    place, why = found_folder(options.folder, options.names)
    print(place or why, file=sys.stdout if place else sys.stderr)
    return 0 if place else 1
