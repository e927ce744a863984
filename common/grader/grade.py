"""Grades one submission: builds it, runs the tests under the CPU executor's checker, and says what is wrong and where.

The first call builds the checker and the tests, which takes some minutes. If there is a GPU, the speed is graded too.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, complaint, names_of, nearest, whole_number
from common.base.whole_file import check_places, write_whole
from common.grader.exercises.files import exercises
from common.grader.grading import graded, needed
from common.grader.handed_in import found_folder, holds, why_no_folder
from common.grader.reports.github import annotations, muted, summary
from common.grader.reports.gradescope import results_json
from common.grader.reports.report import printed
from common.grader.sandbox.sandbox import Sandbox

LISTED = "; ./run exercises --list shows all"  # instead of sixty numbers in one line


def add_shared_arguments(parser):
    """Adds the arguments that grading a class has too."""
    parser.add_argument("task", metavar="NN", help="the step, for example 02, or an exercise, for example 2.1")
    parser.add_argument("--preset", choices=["cpu", "gpu"],
                        help="gpu: grade the speed too; cpu: do not (default: gpu if there is a GPU and nvcc)")
    parser.add_argument("--seed", metavar="N", type=whole_number(0, 2**63 - 1), help="seed of the random bodies (default: a new one for each submission)")
    parser.add_argument("--trust", action="store_true",
                        help="build and run submissions without isolation; they can then do whatever you can")
    parser.add_argument("--user", metavar="NAME", help="build and run submissions as this user; for root in a container in which "
                        "bubblewrap does not work; make sure that this user cannot read the solutions")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--gpu-build", type=Path, help=argparse.SUPPRESS)


def add_arguments(parser):
    add_shared_arguments(parser)
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder with the submission: forces.cu, or "
                        "the files that the task asks for, and the files that they include")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the result to FILE")
    parser.add_argument("--gradescope", metavar="FILE", type=Path, help="write Gradescope's results.json to FILE")
    parser.add_argument("--github", action="store_true", help="also print GitHub's annotations, append a summary to the "
                        "file $GITHUB_STEP_SUMMARY, and exit with 1 if points are missing")
    parser.add_argument("--jobs", type=whole_number(1, 10**4), default=min(2, len(os.sched_getaffinity(0))), help=argparse.SUPPRESS)


def task_of(text):
    """Returns (step, exercise or None)."""
    steps = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/forces.cu"))
    known = {exercise.number: exercise for exercise in exercises()}
    if text in known:
        return known[text].step, known[text]
    for step in steps:
        if text in names_of(step):
            return step, None
    there = f"; there are {' '.join(step[:2] for step in steps)} and exercises{LISTED}"
    raise BadInput(f"no step or exercise '{text}'" + (nearest(text, [*steps, *known]) or there))


def check_input(options, exercise):
    if not options.folder.is_dir():
        raise BadInput(why_no_folder(options.folder))
    folder, why = (options.folder, None) if holds(options.folder, needed(exercise)) else found_folder(options.folder, needed(exercise))
    if not folder:
        raise BadInput(f"{options.folder}: {why}")
    options.folder = folder
    check_places(options.json, options.gradescope)


def folder_in_repository(folder):
    """Returns the submission's folder from the root of its repository, because GitHub finds files that way."""
    found = subprocess.run(["git", "-C", folder, "rev-parse", "--show-prefix"], capture_output=True, text=True)
    return found.stdout[:-1] if found.returncode == 0 else ""


def export(result, options):
    """Prints the report, and writes what the options ask for."""
    if " without " in (result.get("isolation") or ""):
        print(f"grade: isolation: {result['isolation']}", file=sys.stderr)
    if options.gradescope:
        write_whole(options.gradescope, json.dumps(results_json(result), indent=1) + "\n")
    if options.json:
        write_whole(options.json, json.dumps(result, indent=1) + "\n")
    if not options.github:
        print(printed(result))
        if options.page and options.page.exists():
            print(f"See it: {options.page.as_uri()}")
        return
    print(muted(printed(result)))
    for line in annotations(result, folder_in_repository(options.folder)):
        print(line)
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(page, "a", encoding="utf-8") as file:
            file.write(summary(result))


def page_of(options):
    """Returns the file for the page of what a wrong submission's kernels do, if a person and no other program reads the report."""
    name = "_".join(re.findall(r"\w+", f"{options.task} {options.folder.resolve().name}"))
    return BUILDS / "see" / f"{name}.html"


@contextlib.contextmanager
def named_files():
    """Turns an error of the system into bad input, in a line that begins with the file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadInput(complaint(error)) from None


def end_cleanly(number, frame):
    """Ends as with Ctrl-C: stops child processes and removes temporary files."""
    raise SystemExit(128 + number)


@named_files()
def run(options, make=lambda options, step, exercise: None):
    """Grades one submission. make: builds the programs that grade a step or an exercise; called after the input is checked"""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end_cleanly)
    step, exercise = task_of(options.task)
    if exercise and exercise.is_for_instructors:
        raise BadInput(f"{exercise.number}: your instructor grades your answers; this copy of the suite does not have them")
    check_input(options, exercise)
    options.sandbox = None if exercise and exercise.questions else Sandbox.chosen(options.trust, options.user)
    make(options, step, exercise)
    options.build = (options.build or BUILDS / "cpu-check").resolve()
    options.page = None if options.github or options.gradescope or options.json else page_of(options)
    result = graded(options, step, exercise)
    export(result, options)
    return 1 if options.github and result["score"] < result["max_score"] else 0
