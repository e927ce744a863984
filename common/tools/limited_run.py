"""Runs a command that nobody trusts to end, or to keep quiet."""

import dataclasses
import os
import signal
import subprocess
import tempfile
import time

from sandbox import Sandbox

KEPT = 4 << 20  # bytes of output; who writes more is ended


@dataclasses.dataclass
class Ended:
    """How a command ended, and what it printed."""

    status: int | None  # None where the time ran out; minus the signal that ended it
    out: str
    error: str
    seconds: float

    @property
    def flooded(self):
        return self.status == -signal.SIGXFSZ


def run_limited(command, seconds, cwd=None, sandbox=Sandbox("none"), **inside):
    """Runs the command in a session of its own, of which nothing is left afterwards.

    inside: arguments of Sandbox.command()
    """
    started = time.monotonic()
    command = sandbox.command(command, **{"file_bytes": KEPT, "folder": cwd or "/tmp", **inside})
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        # Files and not pipes: a flood then ends at the limit of a file.
        process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=error,
                                   start_new_session=True)
        try:
            status = status_of(process.wait(timeout=seconds))
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end_session(process)
        return Ended(status, text_of(out), text_of(error), time.monotonic() - started)


def status_of(status):
    """A shell and bubblewrap say 128 and the signal for a command that a signal ended."""
    return 128 - status if status > 128 else status


def text_of(stream):
    stream.seek(0)
    return stream.read(KEPT).decode(errors="replace")


def end_session(process):
    """Ends what is left of the process's session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
