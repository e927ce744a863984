"""Grades one submission: builds it, runs the shared tests under the executor's checker, and says what is wrong and where.

The step and its tests come from a build with the executor's checker; where there is a GPU, speed is graded too.
"""

import argparse
import dataclasses
import math
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from common.base.command_line import ROOT
from common.grader import speed
from common.grader.build import SOURCE_BYTES, Complaint, DoesNotBuild, SubmissionBuild, source_texts
from common.grader.exercises.files import exercises
from common.grader.reports.exports import export
from common.grader.reports.plain_text import printable
from common.grader.runs import Submission, Stopped
from common.grader.sandbox.sandbox import NoSandbox, Sandbox
from common.grader.tests import answer_tests, judge, reference_submission, tests_of


def fail(message):
    print(f"grade: {message}", file=sys.stderr)
    sys.exit(2)


def add_arguments(parser):
    parser.add_argument("task", metavar="NN", help="the step, 02 say, or one of its exercises, 2.1 say")
    parser.add_argument("folder", metavar="DIR", type=Path, help="the submission: forces.cu, and what it needs beside it")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the result to FILE")
    parser.add_argument("--gradescope", metavar="FILE", type=Path, help="write Gradescope's results.json to FILE")
    parser.add_argument("--github", action="store_true", help="print GitHub's annotations too, append the summary to "
                        "the file $GITHUB_STEP_SUMMARY, and exit with 1 below full marks")
    parser.add_argument("--seed", type=int, help="of the random bodies [another each time]")
    parser.add_argument("--preset", choices=["cpu", "gpu"],
                        help="gpu: grade the speed too; cpu: do not [gpu where there are a GPU and nvcc]")
    parser.add_argument("--trust", action="store_true", help="build and run it without isolation: it can do all you can")
    parser.add_argument("--user", metavar="NAME", help="as root, where bubblewrap cannot work, in a container say: build and "
                        "run it as this user, from whom the solutions are to be kept by permissions")
    parser.add_argument("--only-check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--gpu-build", type=Path, help=argparse.SUPPRESS)


def task_of(text, fail=fail):
    """(step, exercise or None)."""
    steps = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/forces.cu"))
    known = {exercise.number: exercise for exercise in exercises()}
    if text in known:
        return known[text].step, known[text]
    for step in steps:
        if text in (step, step[:2]):
            return step, None
    fail(f"no step or exercise '{text}'; there are {' '.join(step[:2] for step in steps)} and {' '.join(known)}")


def needed(exercise):
    """Files that must be handed in: of an exercise all that its student was given, for the step's own are the solution."""
    return list(exercise.starter()) if exercise else ["forces.cu"]


def check_input(options, exercise):
    if not options.folder.is_dir():
        fail(f"no folder '{printable(options.folder)}'")
    for name in needed(exercise):
        if not os.path.lexists(options.folder / name):
            fail(f"{printable(options.folder)} has no {name}")
    for file in filter(None, [options.json, options.gradescope]):
        if not file.parent.is_dir() or file.is_dir():
            fail(f"{file} cannot be written")


def of(test):
    """The entry of a test that earned nothing."""
    return {"name": test.name, "points": 0, "max_points": test.points, "status": "failed"}


def run_test(test, submission):
    """The test's entry of the result."""
    started = time.monotonic()
    entry = of(test)
    try:
        found = test.check(submission)
    except Stopped:
        return {**entry, "status": "not run", "diagnosis": {"text": "not run: an earlier test did not end"}}
    if found is None:
        entry |= {"points": test.points, "status": "passed"}
    else:
        entry["diagnosis"] = dataclasses.asdict(found)
    return {**entry, "seconds": round(time.monotonic() - started, 2)}


def check_files(folder, unused):
    """What must be handed in has to be used, too."""
    for name in unused:
        link = (folder / name).is_symlink()
        raise DoesNotBuild(Complaint(f"{name} is a link: hand in the file itself" if link else
                                     f"{name} is no file of at most {SOURCE_BYTES >> 20} MiB", (), name, None))


def built(options, step, exercise, texts, folder, seed):
    """The Submission of these sources, all of it under `folder`."""
    build = SubmissionBuild(options.build, step, options.sandbox)
    program = build.linked(folder, f"{step}_submission", build.objects(folder, texts))
    # Options that only the solution of the exercise has.
    own = exercise.arguments if exercise and exercise.patch() else []
    own = frozenset(word.removeprefix("--").partition("=")[0] for word in own if word.startswith("--"))
    return Submission(step, program.parent, program, judge(options.build, step), options.sandbox, seed, own)


def graded(options, step, exercise):
    """The result: one document for each submission, from which all reports are made."""
    started = time.monotonic()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 31)
    result = {"step": step, "exercise": exercise.number if exercise else None, "submission": str(options.folder),
              "seed": seed, "isolation": options.sandbox and options.sandbox.mode, "build": {"status": "passed"},
              "ignored_files": [], "tests": [], "speed": None}
    with tempfile.TemporaryDirectory(prefix="submission-") as folder:
        submission = None
        if exercise and exercise.questions:
            tests = answer_tests(exercise.questions, options.folder)
        else:
            texts, result["ignored_files"] = source_texts(options.folder, step)
            tests = tests_of(step, exercise, reference_submission(options.build, step))
            try:
                check_files(options.folder, [name for name in needed(exercise) if name not in texts])
                submission = built(options, step, exercise, texts, folder, seed)
            except DoesNotBuild as error:
                result["build"] = {"status": "failed", "diagnosis": dataclasses.asdict(error.complaint)}
        if result["build"]["status"] == "failed":
            result["tests"] = [{**of(test), "status": "not run"} for test in tests]
        else:
            result["tests"] = [run_test(test, submission) for test in tests]
        if options.gpu_build and submission and not (exercise and "Law" in exercise.fields):
            result["speed"] = speed.graded(options.gpu_build, options.sandbox, step, texts, Path(folder) / "gpu",
                                                 result, seed)
    earned = math.fsum(t["points"] for t in result["tests"])
    most = sum(t["max_points"] for t in result["tests"])
    result |= {"score": round(100 * earned / most, 1), "max_score": 100}
    return {**result, "seconds": round(time.monotonic() - started, 1)}


def grade(options, make):
    step, exercise = task_of(options.task)
    check_input(options, exercise)
    options.sandbox = None if exercise and exercise.questions else Sandbox.chosen(options.trust, options.user)
    if options.only_check:
        print(step)  # whose programs are to be built
        return 0
    make(options, step)
    options.build = (options.build or ROOT / "build" / "cpu-check").resolve()
    result = graded(options, step, exercise)
    export(result, options)
    return 1 if options.github and result["score"] < result["max_score"] else 0


def run(options, make=lambda options, step: None):
    """make: builds the programs of a step that grading needs, once the input is known to be good."""
    try:
        return grade(options, make)
    except NoSandbox as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
