"""Limits by the kernel on all processes of a submission together: a control group (cgroup v2), where the host lets the
grader make one."""

import contextlib
import errno
import os
import subprocess
import time
from pathlib import Path

ROOT_GROUP = Path("/sys/fs/cgroup")
CONTROLLERS = {"memory", "pids"}
SECONDS_TO_DIE = 2  # of processes that were killed


def parent_group(root=ROOT_GROUP, own=Path("/proc/self/cgroup")):
    """The nearest group around this process in which it may make others with limits; None where there is none."""
    lines = own.read_text().splitlines() if own.exists() else []
    names = [line[3:].strip("/") for line in lines if line.startswith("0::")]
    if not names or ".." in names[0]:
        return None
    inner = root / names[0]
    for folder in (inner, *inner.parents)[:len(inner.relative_to(root).parts) + 1]:
        with contextlib.suppress(OSError):
            given = (folder / "cgroup.subtree_control").read_text().split()
            # A process may be moved by who may write to a group that holds it before and after.
            writable = all(os.access(path, os.W_OK) for path in (folder, folder / "cgroup.procs"))
            if writable and CONTROLLERS <= set(given):
                return folder
    return None


def control_group(memory, processes):
    """A ControlGroup, or None. memory: bytes; processes: with their threads."""
    parent = parent_group()
    if parent is None:
        return None
    group = ControlGroup(parent, memory, processes)
    if group.begin():
        return group
    group.end()
    return None


class ControlGroup:
    def __init__(self, parent, memory, processes):
        self.memory, self.processes = memory, processes
        self.folder = parent / f"nbody-{os.getpid()}-{time.monotonic_ns()}"

    def begin(self):
        """Whether the group is there with its limits, and takes processes."""
        for old in self.folder.parent.glob("nbody-*"):  # a killed grader's
            if not Path("/proc", old.name.split("-")[1]).exists():
                with contextlib.suppress(OSError):
                    old.rmdir()
        try:
            self.folder.mkdir()
            for name, value in (("memory.max", self.memory), ("memory.oom.group", 1), ("pids.max", self.processes)):
                (self.folder / name).write_text(str(value))
        except OSError:
            return False
        with contextlib.suppress(OSError):  # a kernel without swap has no such file
            (self.folder / "memory.swap.max").write_text("0")
        return subprocess.run(self.joined(["true"]), stderr=subprocess.DEVNULL).returncode == 0

    def joined(self, command):
        """The command with what moves it into the group."""
        return ["sh", "-c", 'echo 0 > "$0/cgroup.procs" && exec "$@"', str(self.folder), *command]

    def exceeded(self):
        """In words, which limit its processes have run into; None where none."""
        if self.count("memory.events", "oom_kill"):
            return f"the program used more than {self.memory >> 30} GiB of memory"
        if self.count("pids.events", "max"):
            return f"the program started more than {self.processes} processes or threads"
        return None

    def count(self, file, event):
        with contextlib.suppress(OSError):
            return int(dict(map(str.split, (self.folder / file).read_text().splitlines())).get(event, 0))
        return 0

    def end(self):
        """Ends what is left in the group, and removes it."""
        with contextlib.suppress(OSError):  # kernels before 5.14 have no such file; the caller has ended all it knows
            (self.folder / "cgroup.kill").write_text("1")
        deadline = time.monotonic() + SECONDS_TO_DIE
        while True:
            try:
                return self.folder.rmdir()
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > deadline:
                    return None
            time.sleep(0.02)
