"""Runs a command that nobody trusts to end, or to keep quiet."""

import dataclasses
import os
import resource
import signal
import subprocess
import tempfile
import time

KEPT = 4 << 20  # bytes of output; who writes more is ended


@dataclasses.dataclass
class Ended:
    """How a command ended, and what it printed."""

    status: int | None  # None where the time ran out
    out: str
    error: str
    seconds: float

    @property
    def flooded(self):
        return self.status == -signal.SIGXFSZ


def run_limited(command, seconds, cwd=None, environment=None, file_bytes=KEPT, memory=None):
    """Runs the command in a session of its own, of which nothing is left afterwards.

    file_bytes: of each file that it writes, its output included; memory: bytes of address space, or no limit
    """

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    started = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        # Files and not pipes: a flood then ends at the limit of a file.
        process = subprocess.Popen(list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=error,
                                   env={**os.environ, **(environment or {})}, start_new_session=True, preexec_fn=limit)
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end_session(process)
        texts = []
        for stream in (out, error):
            stream.seek(0)
            texts.append(stream.read(KEPT).decode(errors="replace"))
    return Ended(status, *texts, time.monotonic() - started)


def end_session(process):
    """Ends what is left of the process's session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
