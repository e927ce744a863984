"""Runs a submission, which is not trusted, and next to it the judge, which requests forces and checks them."""

import contextlib
import dataclasses
import fcntl
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from common.grader.sandbox.limited_run import (KEPT, LOOK_SECONDS, Ended, Limit, end_session, ends_within, family, status_of, text_of,
                                               words_of)

MEMORY = 4 << 30  # in use by all processes of a submission
PROCESSES = 32  # half of what Sandbox allows, which also counts threads
WORDS_SECONDS = 2  # a Limit's, for a program to say where it was when its time was over
END_SECONDS = 5  # a Limit's, for a submission to end after the last request
FIRST_PROCESS = "first_process"  # in a build tree
PAGE = os.sysconf("SC_PAGE_SIZE")
F_SETPIPE_SZ = 1031  # from Linux; in fcntl since Python 3.10


@dataclasses.dataclass
class Judged:
    """How judge and submission ended. stopped: why the submission was stopped, in words; None if it was not"""

    judge: Ended
    submission: Ended
    stopped: str | None = None


@dataclasses.dataclass
class SubmissionProcess:
    """The command of a submission's program, and the arguments of Sandbox.command()."""

    sandbox: object
    program: Path
    arguments: list
    readable: list
    memory: int | None = None
    gpu: bool = False
    first: Path | None = None
    settings: list = ()  # environment variables: "NAME=VALUE"
    writable: list = ()
    file_bytes: int = KEPT

    def start(self, out, log, pipes=()):
        """Starts the program. pipes: two pipes, to read from and to write to; out, log: files for what it prints"""
        words = [*(["env", *self.settings] if self.settings else []), self.program, *pipes, *self.arguments]
        command = self.sandbox.command(words, readable=self.readable, writable=self.writable, memory=self.memory,
                                       file_bytes=self.file_bytes, gpu=self.gpu, first=self.first)
        command = [*self.sandbox.identity(), *command]
        return self.sandbox.start(command, self.gpu, cwd="/", stdin=subprocess.DEVNULL, stdout=out, stderr=log,
                                  pass_fds=pipes, start_new_session=True)


@contextlib.contextmanager
def ended_together(submission):
    """Yields a list of processes, which end together with the submission."""
    processes = []
    try:
        yield processes
    finally:
        for process in processes:
            end_session(process)
        submission.sandbox.end()


def run_alone(submission, seconds):
    """Returns (Ended, why it was stopped or None) of a submission without a judge. seconds: a Limit's"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        with ended_together(submission) as processes:
            processes.append(submission.start(out, log))
            child, = processes
            limit = Limit(seconds, child.pid)
            stopped = watch(child, child, submission.gpu, limit)
            ask_to_end(child, stopped)
        return Ended(status_of(child.returncode), text_of(out), words_of(log), limit.used), stopped


def run_judge(command, submission, seconds, environment=None):
    """Returns the Judged of the judge's command and of the SubmissionProcess that answers it. seconds: a Limit's, for the
    submission
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error, tempfile.TemporaryFile() as log:
        with ended_together(submission) as processes:
            requests, asking = wide_pipe()
            listening, replies = wide_pipe()
            try:
                processes.append(submission.start(log, log, (requests, replies)))
                processes.append(subprocess.Popen(
                    list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=error, start_new_session=True,
                    env={**os.environ, **(environment or {}), "NBODY_SUBMISSION": f"{listening},{asking}"},
                    pass_fds=(listening, asking)))
            finally:
                # Each process has only its own ends, so that it notices when the other one has ended.
                for end in (requests, asking, listening, replies):
                    os.close(end)
            child, judge = processes
            limit = Limit(seconds, child.pid, judge.pid)
            stopped = watch(judge, child, submission.gpu, limit)
            ask_to_end(child, stopped)
            ended = child.poll() is not None or not stopped and Limit(END_SECONDS, child.pid).waits_for(child)
        return Judged(Ended(status_of(judge.returncode), text_of(out), words_of(error), limit.used),
                      Ended(status_of(child.returncode) if ended else None, "", words_of(log), limit.used), stopped)


def wide_pipe():
    """Returns a pipe of 1 MiB, so that many bodies need few switches between the two processes."""
    ends = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(ends[0], F_SETPIPE_SZ, 1 << 20)  # the limit for ordinary users
    return ends


def watch(judge, child, gpu, limit):
    """Waits for the judge, or for a submission without one. Returns why the submission was stopped or ended early, or None."""
    while judge.poll() is None:
        if why := too_much(limit.look(), gpu):
            return why
        if limit.used > limit.seconds:
            return "time"
        ends_within(judge, LOOK_SECONDS)
    return too_much(limit.look(), gpu) if judge.returncode != 0 else None


def ask_to_end(child, stopped):
    """Sends SIGTERM to a program whose time is over, so that the executor says which line is running."""
    if stopped != "time":
        return
    *_, program = family(child.pid) or [child.pid]  # the sandbox's own processes come first
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(program, signal.SIGTERM)
    Limit(WORDS_SECONDS, child.pid).waits_for(child)


def too_much(processes, gpu):
    """Returns the limit that a family() exceeds, in words, or None. Memory is counted in addresses, because shared pages that were
    given back are counted nowhere. On a GPU it is counted in pages, because the driver reserves addresses.
    """
    told = processes.values()
    if len(told) > PROCESSES:
        return f"the program started more than {PROCESSES} processes"
    if sum(int(fields[21]) * PAGE if gpu else int(fields[20]) for fields in told) > MEMORY:
        return f"the program used more than {MEMORY >> 30} GiB of memory"
    return None
