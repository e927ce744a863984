"""The suite's files that grading on another machine needs, and a zip of them."""

import io
import os
import subprocess
import zipfile

from common.base.command_line import ROOT
from common.grader.exercises.answers import RESULTS

TEMPLATES = ROOT / "common" / "grader" / "export"
# What no submission is built from or compared with: the documentation with its pictures, movies and results, the checks
# before a merge, the inputs of the readers' tests and fuzzers, the grader's own tests, and these templates.
NOT_NEEDED = (".ci/", ".clang-format", ".gitignore", "README.md", "docs/", "common/tests/corpus/", "common/tests/fuzz/",
              "common/tests/tools/", "common/grader/export/")
DAY = (1980, 1, 1, 0, 0, 0)  # the same zip from the same commit


def git(*arguments):
    """What git says of this checkout."""
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout


def suite_files(exercise):
    """(bytes, whether it is run) by name, of the files that git has. exercise: None for a step"""
    questions = exercise.questions if exercise else []
    recorded = {f"{RESULTS.relative_to(ROOT)}/{question.file}" for question in questions}
    names = [name for name in git("ls-files", "-z").split("\0") if name]
    kept = [name for name in names if name in recorded or not name.startswith(NOT_NEEDED)]
    return {name: ((ROOT / name).read_bytes(), os.access(ROOT / name, os.X_OK)) for name in kept}


def zipped(files):
    """The bytes of a zip of the files, (bytes, whether it is run) by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, runs) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: else the mode means nothing
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content)
    return made.getvalue()
