"""Grades several submissions at once, each by a process of its own, so that none can stop another."""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time

from common.base.command_line import script
from common.grader.classes.results import csv_row
from common.grader.diagnosis import signal_name

SECONDS = 900  # for a submission: more than the limits of its build, its runs and its timed runs sum to
PATIENCE = 15  # seconds for a grader that is told to end, to remove what it made
SHOWN = 64 << 10  # bytes of what a grader prints that are read
POLL = 0.05
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def tied_to_this_process():
    """In the child: SIGINT is not ignored, and is sent when this process dies, for nobody else would end the child."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGINT)


class Grading:
    """One submission that is being graded."""

    def __init__(self, student, fingerprint, command, folder):
        """fingerprint: of the submission's files; folder: for what the grader writes."""
        self.student = student
        self.fingerprint = fingerprint
        self.started = time.monotonic()
        self.late = False
        name = str(time.monotonic_ns())
        self.result, self.out, self.error = (folder / f"{name}.{what}" for what in ("json", "out", "error"))
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"}
        with self.out.open("wb") as out, self.error.open("wb") as error:
            self.process = subprocess.Popen([*command, "--json", self.result], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=error, env=environment, start_new_session=True,
                                            preexec_fn=tied_to_this_process)

    def ended(self):
        if self.process.poll() is not None:
            return True
        if time.monotonic() - self.started > SECONDS and not self.late:
            self.late = True
            end([self])
        return self.late

    def printed(self, path):
        with path.open("rb") as stream:
            return stream.read(SHOWN).decode(errors="replace")

    def outcome(self):
        """(the result, its report as text) or (None, why the grader made none); removes its files."""
        try:
            return self.read()
        finally:
            for path in (self.result, self.out, self.error):
                path.unlink(missing_ok=True)

    def read(self):
        status = self.process.returncode
        if self.late:
            return None, f"the grader did not end within {SECONDS // 60} min"
        if status < 0:
            return None, f"the grader was ended by a signal: {signal_name(-status)}"
        complaint = (self.printed(self.error).strip().splitlines() or [f"status {status}"])[-1]
        if status != 0:
            return None, re.sub("^grade: ", "", complaint)
        try:
            result = json.loads(self.result.read_text())
            csv_row(self.student, result)  # whether it is one
            return result, self.printed(self.out)
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None, "the grader ended without a result"


def end(gradings):
    """Ends these; as by Ctrl-C, upon which a grader ends its submission's programs and removes their folder."""
    for grading in gradings:
        grading.process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + PATIENCE
    for grading in gradings:
        try:
            grading.process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(grading.process.pid, signal.SIGKILL)
            grading.process.wait()


def grade_each(waiting, jobs, begin, finished, stopped):
    """Grades all that is waiting, `jobs` at once.

    begin: of one that waits: its Grading, or None where there is nothing to run; finished: told each Grading that has
    ended; stopped: called all the time, whether to end what runs and begin no more
    """
    waiting, running = list(reversed(waiting)), []
    try:
        while (waiting or running) and not stopped():
            while waiting and len(running) < jobs:
                if grading := begin(waiting.pop()):
                    running.append(grading)
            time.sleep(POLL)
            for grading in [grading for grading in running if grading.ended()]:
                running.remove(grading)
                finished(grading)
    finally:
        end(running)


def command_of(options, grader, folder):
    """Of the grader for one submission."""
    # A relative name may begin with a dash.
    place = os.path.join("" if os.path.isabs(folder) else os.curdir, folder)
    program = [sys.executable, "-B", str(grader)] if grader else script("grader.grade")
    command = [*program, options.task, place, "--build", str(options.build), "--jobs", "1"]
    for name in ("seed", "user", "gpu_build"):
        if (value := getattr(options, name)) is not None:
            command += [f"--{name.replace('_', '-')}", str(value)]
    return command + (["--trust"] if options.trust else [])
