"""The speed of a hand-in, beside the reference's on the same GPU: in every run bodies that no kernel has seen before,
the host's clock around all of the device's work, forces checked after it has stopped (common/program/timed_runs.hpp).
"""

import json
import math
import statistics

from grade_build import OBJECT_BYTES, DoesNotBuild, HandInBuild
from limited_run import run_limited

BODIES = 65536
RUNS = 7
SECONDS = 120  # of a program's run: its forces are checked on the host each time
FULL, NONE = 1.2, 10  # times the reference's time: full marks up to the one, none from the other on
# A pair by Newton's third law takes 3 FADD, 9 FFMA, 2 FMUL and 1 MUFU for two interactions; no all-pairs kernel less.
LEAST_SLOTS = 7.5
TREES = {"06_tree_walk"}  # which do not compute all pairs


def points(ratio):
    """Of 100, for a time of so many times the reference's: linear in the logarithm between FULL and NONE."""
    share = math.log(NONE / ratio) / math.log(NONE / FULL)
    return round(100 * min(1.0, max(0.0, share)), 1)


def ceiling(device):
    """Interactions per second that the device's measured FMA rate allows any all-pairs kernel."""
    return device["fma_tflops"] * 1e12 / 2 / LEAST_SLOTS


def judged(step, bodies, before, student, after):
    """The speed's part of a result, from JSON documents of NN_timed: the reference's before and after the student's."""
    wrong = next((run for run in student["runs"] if not run["passed"]), None)
    reference = statistics.median(run["force_ms"] for document in (before, after) for run in document["runs"])
    ours = statistics.median(run["force_ms"] for run in student["runs"])
    speed = {"score": 0.0, "max_score": 100, "bodies": bodies, "runs": len(student["runs"]), "force_ms": ours,
             "reference_ms": reference, "device": before["device"]}
    if wrong:
        return refused(speed, f"the forces of a timed run are wrong: {wrong.get('failure', '')}")
    least = min(run["force_ms"] for run in student["runs"])
    # The device of the reference's process: the student's own words are not asked.
    if step not in TREES and not 0 < bodies**2 <= ceiling(before["device"]) * least * 1e-3:
        return refused(speed, f"{least:.4g} ms is less than any kernel needs on {before['device']['name']}")
    ratio = ours / reference
    speed["score"] = points(ratio)
    speed["text"] = (f"speed: {speed['score']:g} of 100 points; {ours:.4g} ms for {bodies:,} bodies, "
                     f"{ratio:.2f} times the reference's {reference:.4g} ms on {before['device']['name']}")
    return speed


def refused(speed, why):
    return {**speed, "text": f"speed: 0 of 100 points; {why}"}


def timed(program, folder, bodies, seed):
    """The JSON document of a run of NN_timed, or None and why there is none."""
    report = folder / "timed.json"
    report.unlink(missing_ok=True)
    # The driver's cache of kernels is larger than what a hand-in may write otherwise.
    ended = run_limited([program, f"--bodies={bodies}", f"--seed={seed}", f"--runs={RUNS}", f"--json={report}"],
                        SECONDS, cwd=folder, file_bytes=OBJECT_BYTES)
    if ended.status is None:
        return None, f"the timed runs did not end within {SECONDS} s"
    try:
        document = json.loads(report.read_text())
        statistics.median(float(run["force_ms"]) for run in document["runs"])
        return document, None
    except (OSError, ValueError, LookupError, TypeError):
        return None, (ended.error.strip().splitlines() or [f"status {ended.status}"])[-1]


def graded(build, step, texts, folder, result, seed):
    """The speed's part of a result; only of a hand-in whose forces are right."""
    none = {"score": 0.0, "max_score": 100}
    if any(test["status"] != "passed" for test in result["tests"]):
        return refused(none, "only a hand-in that passes its tests is timed")
    folder.mkdir()
    try:
        made = HandInBuild(build.resolve(), step)
        program = made.linked(folder, f"{step}_timed", made.objects(folder, texts))
    except DoesNotBuild as error:
        return refused(none, f"it does not compile for the GPU: {error.complaint.text}")
    reference = build.resolve() / step / f"{step}_timed"
    before, why = timed(reference, folder, BODIES, seed)
    student, failure = timed(program, folder, BODIES, seed + RUNS) if before else (None, None)
    after, why_after = timed(reference, folder, BODIES, seed + 2 * RUNS) if student else (None, None)
    if student is None and before:
        return refused(none, failure)
    if before is None or after is None:
        # No fault of the student's: nothing is subtracted for it.
        return {**none, "score": None, "text": f"speed: not graded, the reference did not run: {why or why_after}"}
    return judged(step, BODIES, before, student, after)
