"""Grades a class. Each folder in SUBMISSIONS is one submission, named after the student.

You can stop the command at any time and call it again. It skips submissions that have a result, unless their files
have changed.
"""

import argparse
import os
import signal
import sys
import threading
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.grader.classes.grade_class import Class
from common.grader.classes.progress import Progress, summary
from common.grader.classes.results import ClassResults, row
from common.grader.classes.run import grade_each
from common.grader.grade import add_shared_arguments, named_files, task_of
from common.grader.sandbox.sandbox import Sandbox


def add_arguments(parser):
    add_shared_arguments(parser)
    parser.add_argument("submissions", metavar="SUBMISSIONS", type=Path, help="the folder with one folder per student")
    parser.add_argument("--csv", metavar="FILE", type=Path, required=True,
                        help="the table of grades to write; the results go into a folder of the same name next to it")
    parser.add_argument("--jobs", metavar="N", type=int, help="grade N submissions at the same time (default: the number of cores; "
                        "one less if speed is graded; 1 with --user)")
    parser.add_argument("--again", action="store_true", help="grade all submissions, including those that already have a result")
    parser.add_argument("--seed", type=int, help="seed of the random bodies, for all submissions (default: a new one for each)")
    parser.add_argument("--trust", action="store_true",
                        help="build and run the submissions without isolation; they can then do whatever you can")
    parser.add_argument("--user", metavar="NAME",
                        help="build and run the submissions as this user; only for root, as in ./run grade")
    parser.add_argument("--grader", type=Path, help=argparse.SUPPRESS)


def check_options(options):
    if options.jobs is not None and options.jobs < 1:
        raise BadInput(f"--jobs must be at least 1, not {options.jobs}")
    if options.user and (options.jobs or 1) > 1:
        raise BadInput("--user needs --jobs 1, because submissions of the same user can reach each other")


def wish_to_stop():
    """An event: Ctrl-C and its like only set it, so that no result is lost between its grading and its keeping."""
    asked = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as it is under nohup
            signal.signal(number, lambda *_: asked.set())
    return asked


def graded(options, group, results, stop):
    """Grades what has no result yet; exit status."""
    started = time.monotonic()
    group.entries = results.entries()
    waiting = group.waiting()
    # The host's clock, by which a GPU's speed is measured, wants a core of its own.
    cores = 1 if options.user else len(os.sched_getaffinity(0)) - bool(options.gpu_build)
    jobs = options.jobs or max(1, cores)
    group.progress = Progress(len(waiting), jobs)
    group.progress.begin(len(group.folders), [path.name for path in group.others])
    grade_each(waiting, jobs, group.begin, group.finished, lambda: group.progress.tick() or stop.is_set())
    group.progress.clear()
    results.write_table(group.entries)
    gone = set(group.entries) - {folder.name for folder in group.folders}
    print(summary([row(entry) for entry in group.entries.values()], group.graded, len(gone),
                  len(waiting) - group.progress.done, time.monotonic() - started))
    print(f"{results.table}, and the results in {results.folder}{os.sep}")
    if stop.is_set() and group.progress.done < len(waiting):
        print("Stopped. Call the same command again to continue.")
        return 130
    return 1 if group.failures else 0


@named_files()
def run(options, make=lambda options, step: None):
    """make: builds the programs of a step that grading needs, once the input is known to be good."""
    check_options(options)
    sys.stdout.reconfigure(errors="backslashreplace")
    step, exercise = task_of(options.task)
    task = f"exercise {exercise.number}" if exercise else f"step {step}"
    results = ClassResults(options.csv)
    if not options.submissions.is_dir():
        raise BadInput(f"no folder '{options.submissions}'")
    results.check(task)
    if not (exercise and exercise.questions):
        Sandbox.chosen(options.trust, options.user)
    group = Class(options, step, exercise, results)
    if options.only_check:
        print(step)  # whose programs are to be built
        return 0
    make(options, step)
    options.build = (options.build or ROOT / "build" / "cpu-check").resolve()
    results.open(task)
    try:
        return graded(options, group, results, wish_to_stop())
    finally:
        results.close()
