"""Writes what students get into a folder: the suite in one packed file, without solutions and without anything for instructors.

The steps are the solutions of most exercises, but the ladder and the grader need them. In a packed file, no search of the folder
finds an answer, although a student who unpacks it can read a step. Everything else that answers an exercise is left out: patches,
wrong kernels and reports on them, keys, pages, complete programs.
"""

import gzip
import hashlib
import io
import json
import re
import tarfile

from common.base.command_line import ROOT
from common.base.whole_file import whole_folders
from common.grader.exercises import mutant_corpus
from common.grader.exercises.answers import RESULTS
from common.grader.exercises.files import exercises

TEMPLATE = ROOT / "common" / "grader" / "export" / "students"
PACK = "suite.tar.gz"
# Records that the ladder shows if there is no GPU.
KEPT = ("README.md", "docs/results/counts.json", "docs/results/*/ladder.json", "docs/results/*/instructions_*.json")
LEFT_OUT = ("common/grader/mutants/", "common/grader/grade_all.py", "common/grader/class_", "common/tools/mutants/",
            "common/tests/hostile/", "common/executor/tests/", "common/tools/docs/", "common/tools/testing/test.py",
            "common/tools/testing/fuzz.py", "common/tools/testing/sanitize.py", "common/tools/exercises/course",
            "common/tools/exercises/grade_corpus.py", "common/tools/exercises/instructors_guide.py", "common/tools/ladder/limits.py")
OF_INSTRUCTORS = re.compile(r"\d\d_\w+/(exercises/|mutants\.txt$)")
FOR_INSTRUCTORS = re.compile(r"^(?:Mutant|Mistakes|Answer|Wrong answer|Arguments): .*\n", re.MULTILINE)


def exercise_files(exercise):
    """Returns the exercise's description without mistakes, and its starter: text by name."""
    folder = f"{exercise.step}/exercises/{exercise.number}"
    head, tasks, rest = (ROOT / f"{folder}.md").read_text().partition("## Task")
    arguments = f"Arguments: {' '.join(exercise.arguments)}\n" if exercise.arguments else ""
    return {f"{folder}.md": FOR_INSTRUCTORS.sub("", head).rstrip("\n") + f"\n{arguments}\n{tasks}{rest}",
            **{f"{folder}/{name}": text for name, text in exercise.starter().items()}}


def without_answers(path):
    """Returns the bytes of a record without the numbers that answer an exercise."""
    asked = [question for exercise in exercises() for question in exercise.questions if RESULTS / question.file == path]
    if not asked:
        return path.read_bytes()
    document = json.loads(path.read_text())
    for run in document["runs"]:
        for question in asked:
            if question.is_of(run):
                run.pop(question.key, None)
    return (json.dumps(document, indent=1) + "\n").encode()


def pack_files(files):
    """Returns (bytes, whether it is run) by name. files: the same for everything that grading needs"""
    kept = {name: file for name, file in files.items() if not name.startswith(LEFT_OUT) and not OF_INSTRUCTORS.match(name)}
    kept.update((str(path.relative_to(ROOT)), (without_answers(path), False)) for name in KEPT for path in ROOT.glob(name))
    steps = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/forces.cu"))
    settings = {step: list(mutant_corpus.settings_of(step).items()) for step in steps}
    texts = {str(mutant_corpus.SETTINGS.relative_to(ROOT)): json.dumps(settings)}
    for exercise in exercises():
        texts.update(exercise_files(exercise))
    return {**kept, **{name: (text.encode(), False) for name, text in texts.items()}}


def packed(files):
    """Returns the bytes of a tar of the files, which are the same for the same files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, (content, runs) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755 if runs else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(made.getvalue(), mtime=0)


def write(folder, files):
    """Writes the folder, which must not exist yet, or nothing. Returns the size of the packed file in bytes."""
    made = packed(pack_files(files))
    with whole_folders([folder]):
        folder.mkdir(parents=True)
        (folder / PACK).write_bytes(made)
        (folder / f"{PACK}.sum").write_text(hashlib.sha256(made).hexdigest() + "\n")
        for file in TEMPLATE.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "run").chmod(0o755)
    return len(made)
