"""Replaces grade.py in tests of grading a class: does what the submission's first word says."""

import json
import os
import signal
import sys
import time
from pathlib import Path

folder, report = Path(sys.argv[2]), Path(sys.argv[sys.argv.index("--json") + 1])
seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 7


def say(line):
    with Path(os.environ["NBODY_TEST_LOG"]).open("a", errors="backslashreplace") as log:
        log.write(f"{line}\n")


say(folder.name)
word, *more = (folder / "forces.cu").read_text().split()
if word == "throw":
    raise RuntimeError("what now")
elif word == "refuse":
    print("grade: no compiler", file=sys.stderr)
    sys.exit(2)
elif word == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif word == "half":
    report.write_text('{"score": 1')
elif word == "other":
    report.write_text("[1]")
elif word == "sleep":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(say(f"{folder.name} tidied") or 143))
    time.sleep(float(more[0]))
if word not in ("silent", "half", "other"):
    score = float(more[0]) if word == "score" else 50
    tests = [{"name": "t", "points": score, "max_points": 100, "status": "passed" if score == 100 else "failed"}]
    report.write_text(json.dumps({
        "step": "02_tiled", "exercise": None, "submission": str(folder), "seed": seed, "build": {"status": "passed"},
        "ignored_files": [], "tests": tests, "speed": None, "score": score, "max_score": 100, "seconds": 0.1}))
print("the report")
