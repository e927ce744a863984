"""The parts of what is recorded, each of one command or more, and how they are run one after the other."""

import subprocess
import time

from common.base.command_line import script
from common.tools import ranks
from common.tools.build import kernel_steps, programs_of
from common.tools.sweeps import figures

COUNTED = "05"  # up to this step there is one loop whose instructions are counted


def counts():
    """Those of `./run instructions`, of step 05 both loops."""
    programs = [name for step in kernel_steps() if step[:2] <= COUNTED for name in programs_of(step)]
    return [["instructions", name] for name in programs] + [["instructions", "05", "--equal-masses", "ignored"]]


def parts():
    """{name: its commands}, in the order in which they are measured."""
    return {"ladder": [["ladder"]], "instructions": counts(), "profile": [["profile"]], "occupancy": [["occupancy"]],
            **{name: [["sweep", name]] for name in figures.ON_GPU}}


def by_default():
    """All that this machine can measure."""
    return [name for name in parts() if name != "ranks" or ranks.gpus() > 1]


def started(words):
    """The exit status of a command, in a process of its own: whatever ends it, the next part is measured."""
    return subprocess.run(script(words[0]) + words[1:] + ["--preset", "gpu", "--record"]).returncode


def measure(names):
    """Measures the parts and says how long each took; returns the names of those that failed."""
    failed, lines = [], []
    for name in names:
        begin = time.monotonic()
        print(f"\n--- {name}", flush=True)
        statuses = [started(words) for words in parts()[name]]
        if any(statuses):
            failed.append(name)
        verdict = "FAILED: the earlier record stays" if any(statuses) else "recorded"
        lines.append(f"{name:14}{time.monotonic() - begin:6.0f} s  {verdict}")
        print(lines[-1], flush=True)
    print("\n" + "\n".join(lines))
    return failed
