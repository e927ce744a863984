"""What viewers cost a live run: its steps a second with none, one and ten of them, and with one that reads nothing.

python3 common/tools tests.tools.live_viewers [--seconds S] [--json FILE] PROGRAM [OPTION...]"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from common.tests.tools.live_client import Live
from common.tools.programs import write_json

FRAME = 2  # the kind of a WebSocket message that is binary
CASES = [(0, 0), (1, 0), (10, 0), (0, 1)]  # viewers that read, and that do not
ROUNDS = 3


class Reader(threading.Thread):
    """Reads all that comes to a viewer, and counts its frames."""

    def __init__(self, viewer):
        super().__init__(daemon=True)
        self.viewer, self.frames, self.bytes = viewer, 0, 0

    def run(self):
        try:
            while (message := self.viewer.receive())[0] is not None:
                if message[0] == FRAME:
                    self.frames += 1
                    self.bytes += len(message[1])
        except (OSError, ValueError):  # closed below
            pass


def moment(live):
    """(steps, time at which they were done): the first numbers that change while one looks."""
    with live.view(live.watch) as viewer:
        first = now = viewer.next("numbers")
        while now["steps"] == first["steps"]:
            now = viewer.next("numbers")
        return now["steps"], time.monotonic()


def measured(live, viewers, stuck, seconds):
    opened = [live.view(live.watch) for _ in range(viewers + stuck)]
    readers = [Reader(viewer) for viewer in opened[:viewers]]
    for reader in readers:
        reader.start()
    steps, start = moment(live)
    frames, size = sum(reader.frames for reader in readers), sum(reader.bytes for reader in readers)
    time.sleep(seconds)
    frames, size = sum(reader.frames for reader in readers) - frames, sum(reader.bytes for reader in readers) - size
    later, end = moment(live)
    for viewer in opened:
        viewer.close()
    return {"viewers": viewers, "not_reading": stuck, "steps_per_s": (later - steps) / (end - start),
            "frames_per_s": frames / seconds / max(viewers, 1), "bytes_per_s": size / seconds / max(viewers, 1)}


def row(runs):
    """Of the rounds of a case, the medians."""
    return {**runs[0], **{name: statistics.median(run[name] for run in runs) for name in runs[0] if name.endswith("_per_s")}}


def device_of(program):
    """Suite and device, as the program's own report names them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        subprocess.run([program, "--bodies=1024", "--no-check", "--steps=0", f"--json={file}"], check=True, capture_output=True)
        report = json.loads(file.read_text())
        return {name: report[name] for name in ("suite", "device")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--json", type=Path)
    parser.add_argument("program")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of the program [--bodies=16384 --scene=merger --dt=0.01]")
    given = parser.parse_args()
    options = given.options or ["--bodies=16384", "--scene=merger", "--dt=0.01"]
    test = unittest.TestCase()
    live = Live(test, given.program, *options)
    with live.view() as viewer:
        viewer.send({"set": {"stepsPerFrame": 0}})  # as many as go
        viewer.next("numbers")
    runs = []
    try:
        for viewers, stuck in CASES * ROUNDS:
            runs.append(measured(live, viewers, stuck, given.seconds))
            print(", ".join(f"{name} {value:.6g}" for name, value in runs[-1].items()), flush=True)
    finally:
        test.doCleanups()
    table = [row(runs[case::len(CASES)]) for case in range(len(CASES))]
    for entry in table:
        entry["slower_by"] = 1 - entry["steps_per_s"] / table[0]["steps_per_s"]
    if given.json:
        write_json(given.json, {**device_of(given.program), "options": options, "runs": runs, "table": table})


if __name__ == "__main__":
    sys.exit(main())
