"""Finds the files that were handed in: in a folder, or in the only folder below it that has them.

As a script, it prints that folder: handed_in.py FOLDER NAME... If there is none, it says why, and ends with status 1.
"""

import difflib
import itertools
import os
import re
import sys
import unicodedata
from pathlib import Path

DEPTH = 3  # course systems put an upload into a folder, which may have that of an archive
MOST_FOLDERS = 1000
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
DOCUMENTS = (".doc", ".docx", ".html", ".ipynb", ".odt", ".pdf", ".rtf")  # a new name would not make them a source
NEAR = 0.8  # difflib's ratio of "froces.cu" and "forces.cu" is 0.89
SHOWN = 3  # names in a message


def is_hidden(path):
    """Returns whether a file belongs to the instructor's system, not to a student: .git, .DS_Store, __MACOSX."""
    return path.name.startswith((".", "__MACOSX"))


def is_handed_in(path):
    """Returns whether a file, a link or anything else but a folder has this name."""
    return os.path.lexists(path) and (path.is_symlink() or not path.is_dir())


def holds(folder, names):
    return all(is_handed_in(folder / name) for name in names)


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


def files_below(folder):
    """Yields what a student has put below a folder, except folders."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = sorted(name for name in folders if not is_hidden(Path(name)))
        yield from (path for name in sorted([*files, *links]) if not is_hidden(path := Path(place, name)))


def is_near(given, wanted):
    """Returns whether a name may be a misspelt or a changed one: "Forces.cu", "forces (1).cu", "forces.cu.txt", "froces.cu"."""
    plain = unicodedata.normalize("NFKC", given).lower().strip()
    return Path(wanted).stem.lower() in plain or difflib.SequenceMatcher(None, plain, wanted.lower()).ratio() >= NEAR


def is_archive(path):
    return path.suffix.lower() in ARCHIVES


def why_none(folder, names):
    """Returns "no forces.cu; is it 'forces (1).cu'? Rename it": a likely reason why a file is missing."""
    files = list(itertools.islice(files_below(folder), MOST_FOLDERS))
    if not files:
        return "an empty folder"
    files = [path for path in files if str(path.relative_to(folder)) not in names]
    absent = [name for name in names if not is_handed_in(folder / name)]
    missing = " and ".join(absent)
    for name in absent:
        for path in files:
            shown = path.relative_to(folder)
            if path.name == Path(name).name:
                return f"no {missing}; move '{shown}' to {name} in the folder that you hand in"
            if is_near(path.name, Path(name).name) and not is_archive(path) and path.suffix.lower() not in DOCUMENTS:
                return f"no {missing}; is it the file '{shown}'? Rename it to {name}"
    if archive := next(filter(is_archive, files), None):
        return f"no {missing}; '{archive.relative_to(folder)}' is an archive: unpack it"
    if not files:
        return f"no {missing}"
    shown = ", ".join(f"'{path.relative_to(folder)}'" for path in files[:SHOWN])
    return f"no {missing}; there is only {shown}" + (f" and {len(files) - SHOWN} more" if len(files) > SHOWN else "")


def why_no_folder(path):
    """Returns why a path is no submission: "'2.1.zip' is an archive: unpack it"."""
    if not os.path.lexists(path):
        return f"no folder '{path}'"
    return f"'{path}' is an archive: unpack it" if is_archive(path) else f"'{path}' is not a folder: name the folder that it is in"


def add_arguments(parser):
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+")


def run(options):
    place, why = found_folder(options.folder, options.names)
    sys.stdout.reconfigure(errors="surrogateescape")  # the folder's name may have other bytes than those of UTF-8
    print(place or why, file=sys.stdout if place else sys.stderr)
    return 0 if place else 1
