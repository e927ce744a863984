"""Grades a class. Each folder in SUBMISSIONS is one submission, named after the student.

You can stop the command at any time and call it again. It skips submissions that have a result, unless their files
have changed.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from common.base.command_line import BUILDS, BadInput, printable, script, whole_number
from common.base.whole_file import write_whole
from common.grader.class_page import class_page
from common.grader.class_results import ClassResults, row
from common.grader.diagnosis import signal_name
from common.grader.grade import add_shared_arguments, named_files, task_of
from common.grader.grading import needed
from common.grader.handed_in import found_folder, is_archive, is_hidden
from common.grader.sandbox.sandbox import Sandbox

SECONDS = 3600  # per submission, by the clock; on a busy machine, more than the limits of its build and runs together
PATIENCE = 15  # seconds in which a grader that is told to end may clean up
SHOWN = 64 << 10  # bytes of a grader's output that are read
MESSAGE = 90  # characters of a message in a line


def add_arguments(parser):
    add_shared_arguments(parser)
    parser.add_argument("submissions", metavar="SUBMISSIONS", type=Path, help="the folder with one folder per student")
    parser.add_argument("--csv", metavar="FILE", type=Path, required=True,
                        help="the table of grades to write; the results go into a folder of the same name next to it")
    parser.add_argument("--jobs", metavar="N", type=whole_number(1, 10**4), help="grade N submissions at the same time (default: the number of cores; "
                        "one less if speed is graded; 1 with --user)")
    parser.add_argument("--without-names", action="store_true", help="the page about the class numbers the students instead")
    parser.add_argument("--again", action="store_true", help="grade all submissions, including those that already have a result")
    parser.add_argument("--grader", type=Path, help=argparse.SUPPRESS)


def student_folders(submissions, results):
    """Returns (the submissions in the order of their names, other entries)."""
    own = {results.table.resolve(), results.table.with_suffix(".html").resolve(), results.folder.resolve()}
    found = sorted((path for path in submissions.iterdir() if not is_hidden(path) and (path.is_symlink() or path.resolve() not in own)),
                   key=lambda path: path.name)
    folders = [path for path in found if path.is_dir() or path.is_symlink()]
    return folders, [path for path in found if path not in folders]


def state_of(folder):
    """Returns the name, size and time of each file. They differ if a student has submitted again."""
    files = [(path, path.lstat()) for path in sorted(folder.rglob("*")) if not path.is_dir()]
    return [[str(path.relative_to(folder)), file.st_size, file.st_mtime_ns] for path, file in files]


def task_words(step, exercise):
    return f"exercise {exercise.number}" if exercise else f"step {step}"


class Stopped(Exception):
    """The command was asked to end."""


class Class:
    """The submissions to grade, and the results so far."""

    def __init__(self, options, step, exercise, results):
        self.options, self.step, self.exercise, self.results = options, step, exercise, results
        self.needed = needed(exercise)
        self.folders, self.others = student_folders(options.submissions, results)
        if not self.folders:
            raise BadInput(f"{options.submissions} has no folders; each submission must be a folder")
        self.entries = {}
        self.stop = threading.Event()

    def is_done(self, submission):
        """Returns whether there is a result of this submission with its current files, graded with the current options."""
        entry = self.entries.get(submission.name)
        try:
            folder, why = found_folder(submission, self.needed)
            if entry is None or folder is None:
                return entry is not None and (entry["status"], entry["message"]) == ("no submission", why)
            return (entry["result"] is not None and state_of(folder) == entry.get("state")
                    and self.options.seed in (None, entry["result"]["seed"])
                    and (entry.get("speed_graded") or not self.options.gpu_build))
        except OSError:
            return False  # its row tells what is wrong

    def command(self, folder):
        """Returns the command line of the grader for one submission."""
        # A relative name may begin with a dash.
        place = os.path.join("" if os.path.isabs(folder) else os.curdir, folder)
        program = [sys.executable, "-B", str(self.options.grader)] if self.options.grader else script("grader.grade")
        command = [*program, self.options.task, place, "--build", str(self.options.build), "--jobs", "1"]
        for name in ("seed", "user", "gpu_build"):
            if (value := getattr(self.options, name)) is not None:
                command += [f"--{name.replace('_', '-')}", str(value)]
        return command + (["--trust"] if self.options.trust else [])

    def graded(self, submission):
        """Returns the entry of one submission. Raises Stopped if grading did not finish."""
        if self.stop.is_set():
            raise Stopped
        entry = {"student": submission.name, "status": "not graded", "message": "", "result": None}
        try:
            folder, why = found_folder(submission, self.needed)
            if not folder:
                return {**entry, "status": "no submission", "message": why}
            entry["state"] = state_of(folder)
        except OSError as error:
            return {**entry, "message": f"{error.filename}: {error.strerror}"}
        with tempfile.TemporaryDirectory() as place:
            result, why = self.outcome(submission, Path(place), self.command(folder))
        if result is None:
            return {**entry, "message": why}
        return {**entry, "status": "graded", "result": result, "speed_graded": bool(self.options.gpu_build)}

    def outcome(self, submission, place, command):
        """Returns (the result, None) or (None, why the grader made none)."""
        result, error = place / "result.json", place / "error"
        with error.open("wb") as said:
            # The grader ends with this process, because nothing else would end it.
            process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command, "--json", result], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
                                       env={**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"})
            if not self.ended(process):
                if self.stop.is_set():
                    raise Stopped
                return None, f"the grader did not end within {SECONDS // 60} min"
        if process.returncode < 0:
            return None, f"the grader was ended by a signal: {signal_name(-process.returncode)}"
        complaint = (beginning(error).strip().splitlines() or [f"status {process.returncode}"])[-1]
        if process.returncode != 0:
            return None, re.sub("^grade: ", "", complaint)
        try:
            document = json.loads(result.read_text())
            row({"student": submission.name, "result": document, "graded_at": ""})  # raises if it is not a result
            return document, None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None, "the grader ended without a result"

    def ended(self, process):
        """Waits for the grader. If it takes too long, tells it to end, so that it can clean up."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and not self.stop.is_set():
            try:
                process.wait(0.1)
                return True
            except subprocess.TimeoutExpired:
                continue
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return False

    def keep(self, entry):
        entry["graded_at"] = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        before = self.entries.get(entry["student"])
        # A failure of the grader does not take away a grade that the same files have earned.
        if entry["status"] == "not graded" and before and before["result"] and before.get("state") == entry.get("state"):
            return
        self.results.keep(entry)
        self.entries[entry["student"]] = entry


def beginning(path):
    with path.open("rb") as stream:
        return stream.read(SHOWN).decode(errors="replace")


def line(entry, number, total):
    shown = row(entry)
    score = "-" if shown["score"] == "" else f"{shown['score']:g}"
    message = f"  {shown['message'][:MESSAGE]}" if shown["message"] else ""
    return f"{number:{len(str(total))}}/{total}  {score:>5}  {shown['student']}: {shown['status']}{message}"


def graded(options, group):
    """Grades what has no result yet. Returns the exit status."""
    group.entries = group.results.entries()
    waiting = [folder for folder in group.folders if options.again or not group.is_done(folder)]
    # The host's clock measures the speed of a GPU, so one core is left free.
    cores = 1 if options.user else len(os.sched_getaffinity(0)) - bool(options.gpu_build)
    jobs = min(options.jobs or max(1, cores), max(1, len(waiting)))
    done = len(group.folders) - len(waiting)
    print(f"{len(group.folders)} submissions{f', {done} are graded already' if done else ''}: {len(waiting)} to grade, {jobs} at once")
    for path in group.others:
        print(f"not a submission, because it is not a folder: {printable(path.name)}{'; unpack it' * is_archive(path)}")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup
            signal.signal(number, lambda *_: group.stop.set())
    finished, failures = 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(group.graded, folder) for folder in waiting]):
            if isinstance(future.exception(), Stopped):
                continue
            entry = future.result()
            group.keep(entry)
            finished += 1
            failures += entry["status"] == "not graded"
            print(line(entry, finished, len(waiting)), flush=True)
    group.results.write_table(group.entries)
    page = group.results.table.with_suffix(".html")
    write_whole(page, class_page(group.entries, group.folders, group.needed, task_words(group.step, group.exercise), group.step, group.exercise,
                                 options.without_names))
    print(summary(group, finished))
    print(f"{group.results.table}, the page {page}, and the results in {group.results.folder}{os.sep}")
    if finished < len(waiting):
        print(f"{len(waiting) - finished} not yet graded. Call the same command again to continue.")
        return 130
    return 1 if failures else 0


def summary(group, finished):
    rows = [row(entry) for entry in group.entries.values()]
    scores = [one["score"] for one in rows if one["score"] != ""]
    gone = len(set(group.entries) - {folder.name for folder in group.folders})
    text = f"{len(rows)} in the table, {finished} of them graded now"
    if gone:
        text += f"; {gone} from earlier calls, whose folders no longer exist"
    if scores:
        text += f"; mean {sum(scores) / len(scores):.1f} of 100 points, {sum(score == 100 for score in scores)} with full marks"
    return text


@named_files()
def run(options, make=lambda options, step, exercise: None):
    """Grades a class. make: builds the programs of a step for grading; called after the input is checked"""
    if options.user and (options.jobs or 1) > 1:
        raise BadInput("--user needs --jobs 1, because submissions of the same user can reach each other")
    sys.stdout.reconfigure(errors="backslashreplace")
    step, exercise = task_of(options.task)
    task = task_words(step, exercise)
    results = ClassResults(options.csv)
    if not options.submissions.is_dir():
        raise BadInput(f"no folder '{options.submissions}'")
    results.check(task)
    if not (exercise and exercise.questions):
        Sandbox.chosen(options.trust, options.user)
    group = Class(options, step, exercise, results)
    make(options, step, exercise)
    options.build = (options.build or BUILDS / "cpu-check").resolve()
    with results.opened(task):
        return graded(options, group)
