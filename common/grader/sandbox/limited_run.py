"""Runs a command with limits on time and output."""

import collections
import contextlib
import dataclasses
import glob
import os
import select
import signal
import subprocess
import tempfile
import time

from common.grader.sandbox.sandbox import Sandbox

KEPT = 4 << 20  # bytes of output; a process that writes more is ended
# Bytes of a process's output that are kept. People and patterns read them, and patterns are slow on megabytes.
SAID = 128 << 10
LONGEST_LINE = 1000
LOOK_SECONDS = 0.05  # between checks of what processes use
# A process may take so many times its limit while a core is idle.
BY_THE_CLOCK = 20
TICKS = os.sysconf("SC_CLK_TCK")
WORKING = b"R", b"D"  # states of threads that use or wait for a core or a disk


@dataclasses.dataclass
class Ended:
    """How a command ended, and what it printed."""

    status: int | None  # None if the time ran out; minus the signal that ended it
    out: str
    error: str
    seconds: float  # as a Limit counts them

    @property
    def flooded(self):
        return self.status == -signal.SIGXFSZ


class Limit:
    """A limit on the time of a process with its descendants: their processor time, and the time in which they and the process `other`
    sleep. A busy machine adds to neither, because it lets processes wait for a core. So that each run ends, a twentieth of the time in
    which a core of the machine is idle counts at least.
    """

    def __init__(self, seconds, root, other=None):
        self.seconds, self.roots = seconds, (root, *([other] if other else []))
        self.looked = time.monotonic()
        self.begun = self.processor = [processor_seconds(family) for family in families(*self.roots)]
        self.asleep = self.unused = 0
        self.idle = idle_seconds()

    @property
    def used(self):
        return max(self.processor[0] - self.begun[0] + self.asleep, self.unused / BY_THE_CLOCK)

    def look(self):
        """Counts the time since the last look. Returns the process's family()."""
        found = families(*self.roots)
        now, idle, processor = time.monotonic(), idle_seconds(), list(map(max, self.processor, map(processor_seconds, found)))
        if processor == self.processor and not any(works(process, fields) for one in found for process, fields in one.items()):
            self.asleep += now - self.looked
        self.unused += min(now - self.looked, idle - self.idle)
        self.looked, self.processor, self.idle = now, processor, idle
        return found[0]

    def waits_for(self, process):
        """Returns whether the process ends within the limit, as soon as it does."""
        while not ends_within(process, LOOK_SECONDS):
            self.look()
            if self.used > self.seconds:
                return False
        return True


def run_limited(command, seconds, cwd=None, sandbox=Sandbox("none"), **inside):
    """Runs the command in its own session, and ends the whole session. seconds: a Limit's; inside: arguments of Sandbox.command()"""
    command = sandbox.command(command, **{"file_bytes": KEPT, "folder": cwd or "/tmp", **inside})
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        # Files instead of pipes, because file sizes are limited.
        process = sandbox.start(command, inside.get("gpu", False), cwd=cwd, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=error, start_new_session=True)
        limit = Limit(seconds, process.pid)
        try:
            status = status_of(process.returncode) if limit.waits_for(process) else None
        finally:
            end_session(process)
            sandbox.end()
        return Ended(status, text_of(out), words_of(error), limit.used)


def status_of(status):
    """Returns the status. A shell and bubblewrap exit with 128 plus the signal that ended their command."""
    return 128 - status if status > 128 else status


def text_of(stream):
    stream.seek(0)
    return stream.read(KEPT).decode(errors="replace")


def words_of(stream):
    """Returns the start of a process's output."""
    stream.seek(0)
    return cut(stream.read(SAID).decode(errors="replace"))


def cut(text):
    """Returns the start of the text, with lines of at most LONGEST_LINE."""
    lines = text[:SAID].splitlines(keepends=True)
    return "".join(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}\n" for line in lines)


def end_session(process):
    """Ends the process's session and all its descendants, because some may have their own sessions."""
    for pid in family(process.pid) if process.poll() is None else []:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def family(root):
    """Returns the process `root` and its descendants, by PID: the fields of /proc/PID/stat from the third on, the state."""
    return families(root)[0]


def families(*roots):
    """Returns family() of each of these processes."""
    told, children = {}, collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it may have ended
            with open(f"/proc/{name}/stat", "rb", buffering=0) as file:
                # The fields follow the name in brackets, which may contain anything.
                told[int(name)] = fields = file.read().rpartition(b")")[2].split()
            children[int(fields[1])].append(int(name))
    found = [[root] if root in told else [] for root in roots]
    for one in found:
        for process in one:
            one += children[process]
    return [{process: told[process] for process in one} for one in found]


def works(process, fields):
    """Returns whether a thread of a process uses or waits for a core or a disk. fields: as in family(), of its first thread, which may
    sleep until others are done.
    """
    if fields[0] in WORKING:
        return True
    if int(fields[17]) > 1:
        for file in glob.iglob(f"/proc/{process}/task/*/stat"):
            with contextlib.suppress(OSError), open(file, "rb", buffering=0) as thread:
                if thread.read().rpartition(b")")[2].split()[0] in WORKING:
                    return True
    return False


def processor_seconds(family):
    """Returns the processor time of a family(), and of their children that have ended and were waited for."""
    return sum(int(field) for fields in family.values() for field in fields[11:15]) / TICKS


def idle_seconds():
    """Returns the time in which the machine's cores were idle, the sum of all cores."""
    with open("/proc/stat", "rb", buffering=0) as file:
        return int(file.readline().split()[4]) / TICKS


def ends_within(process, seconds):
    """Returns whether the process ends in this time, as soon as it does."""
    handle = os.pidfd_open(process.pid) if process.poll() is None else None
    if handle is not None:
        select.select([handle], [], [], seconds)
        os.close(handle)
    return process.poll() is not None
