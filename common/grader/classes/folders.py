"""The submissions of a class, as a course system leaves them: which folder is graded, and its fingerprint."""

import hashlib
import os
import stat

from common.base.command_line import ROOT
from common.grader.build import SOURCES, SOURCES_BYTES
from common.grader.reports.report import some_of

MOST_READ = 64 << 20  # bytes of a submission's files
# What the tests and their points are made of, beside the step's own files.
TESTS = [ROOT / "common" / "tests" / "kernels" / "step_test.cpp", ROOT / "common" / "grader" / "tests.py",
         ROOT / "common" / "grader" / "points.py", ROOT / "common" / "grader" / "judge" / "law_test.cpp",
         ROOT / "common" / "grader" / "whole_program.py"]


def hidden(path):
    """Of the instructor's system and not of a student: .git, .DS_Store, __MACOSX."""
    return path.name.startswith((".", "__MACOSX"))


def real(path):
    """Of a link that leads to itself, the link."""
    return path if path.is_symlink() and not path.exists() else path.resolve()


def student_folders(submissions, passed_over):
    """(the submissions of the folder, in the order of their names; what is none of them). passed_over: paths"""
    found = [path for path in submissions.iterdir() if not hidden(path) and real(path) not in passed_over]
    found.sort(key=lambda path: path.name)
    folders = [path for path in found if path.is_dir() or path.is_symlink()]
    return folders, [path for path in found if path not in folders]


def graded_folder(folder, needed):
    """(the folder that holds the files of the names `needed`, None) or (None, why there is none).

    Course systems put what was uploaded into a folder of its own: one that is the only one to hold them is taken.
    """
    def holds_them(place):
        return all(os.path.lexists(place / name) for name in needed)

    if folder.is_symlink():  # it could be another student's
        return None, "a symbolic link instead of a folder; links are not followed"
    if holds_them(folder):
        return folder, None
    entries = sorted(path for path in folder.iterdir() if not hidden(path))
    inner = [path for path in entries if path.is_dir() and not path.is_symlink() and holds_them(path)]
    if len(inner) == 1:
        return inner[0], None
    names = " and ".join(needed)
    if inner:
        return None, f"{names} in {len(inner)} folders: {', '.join(some_of([path.name for path in inner]))}"
    return None, f"no {names}" if entries else "an empty folder"


def fingerprint(folder, task):
    """Of all in the folder that grading depends on. task: bytes of the task's own fingerprint."""
    digest = hashlib.sha256(task)
    left = MOST_READ
    inner = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    for path in sorted(path for place in [folder, *inner] for path in place.iterdir()):
        state = path.lstat()
        digest.update(repr((str(path.relative_to(folder)), stat.S_IFMT(state.st_mode))).encode())
        # Of other files the grader uses no more than the name; a pipe would never end.
        if stat.S_ISREG(state.st_mode) and (path.suffix in SOURCES or path.suffix == ".txt"):
            digest.update(repr(state.st_size).encode())
            # A folder of gigabytes is known by the times of its files.
            whole = state.st_size <= min(SOURCES_BYTES, left)
            digest.update(path.read_bytes() if whole else repr(state.st_mtime_ns).encode())
            left -= state.st_size if whole else 0
    return digest.hexdigest()


def task_fingerprint(step, exercise):
    """Of the step, the exercise or None, and the tests."""
    digest = hashlib.sha256(repr((step, exercise and exercise.number)).encode())
    own = sorted(path for path in (ROOT / step).rglob("*") if path.suffix in SOURCES)
    if exercise:
        own += sorted((ROOT / step / "exercises").glob(f"{exercise.number}.*"))
    for path in own + TESTS:
        digest.update(repr(path.name).encode() + path.read_bytes())
    return digest.digest()
