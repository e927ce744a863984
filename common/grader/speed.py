"""The speed of a submission, compared with the reference on the same GPU. The judge, in another process, takes the time from
sending new bodies until it has their forces, and then checks them (common/grader/judge/timed_runs.hpp). Both times include
the copies of bodies and forces.
"""

import contextlib
import fcntl
import json
import math
import statistics

from common.grader.build import SubmissionBuild
from common.grader.complaints import DoesNotBuild
from common.grader.sandbox.judging import FIRST_PROCESS, SubmissionProcess, run_judge
from common.grader.steps import facts
from common.grader.work_folder import work_folder

# With few bodies, a kernel that waits for loads shows; with many, sending bodies is a small part. The lower score counts.
BODIES = (16384, 262144)
RUNS = 7
SECONDS = 120  # for a program's runs, whose forces are checked on the host each time
FULL, NONE = 1.2, 10  # multiples of the reference's time: full marks up to the first, none from the second on
NOTHING = {"score": 0.0, "max_score": 100}


def points(ratio):
    """Returns points of 100 for a time of `ratio` times the reference's: linear in the logarithm between FULL and NONE."""
    share = math.log(NONE / ratio) / math.log(NONE / FULL)
    return round(100 * min(1.0, max(0.0, share)), 1)


def ceiling(device, step):
    """Returns the most interactions per second of an all-pairs kernel with the device's measured FMA rate."""
    return device["fma_tflops"] * 1e12 / 2 / facts(step).least_slots


def judged(step, bodies, before, student, after):
    """Returns the speed's part of a result, from JSON documents of timed(): the reference's before and after the student's."""
    wrong = next((run for run in student["runs"] if not run["passed"]), None)
    reference = statistics.median(run["force_ms"] for document in (before, after) for run in document["runs"])
    ours = statistics.median(run["force_ms"] for run in student["runs"])
    speed = {**NOTHING, "bodies": bodies, "runs": len(student["runs"]), "force_ms": ours,
             "reference_ms": reference, "device": before["device"]}
    if wrong:
        return refused(speed, f"the forces of a timed run are wrong: {wrong.get('failure', '')}")
    least = min(run["force_ms"] for run in student["runs"])
    if not facts(step).has_tree and not 0 < bodies**2 <= ceiling(before["device"], step) * least * 1e-3:
        return refused(speed, f"{least:.4g} ms is less than any kernel can need on {before['device']['name']}")
    ratio = ours / reference
    speed["score"] = points(ratio)
    speed["text"] = (f"speed: {speed['score']:g} of 100 points; {ours:.4g} ms for {bodies:,} bodies, "
                     f"{ratio:.2f} times the reference's {reference:.4g} ms on {before['device']['name']}")
    return speed


def refused(speed, why):
    return {**speed, "text": f"speed: 0 of 100 points; {why}"}


def timed(judge, submission, bodies, seed):
    """Returns the judge's JSON document of its timed runs, or None and why there is none."""
    with work_folder() as folder:
        report = folder / "timed.json"
        judged = run_judge([judge, bodies, seed, RUNS, report], submission, SECONDS)
        if judged.stopped == "time":
            return None, f"the timed runs did not end within {SECONDS} s"
        if judged.stopped:
            return None, judged.stopped
        if judged.judge.status == 0:
            return json.loads(report.read_text()), None
    words = judged.submission.error.strip().splitlines() or judged.judge.error.strip().splitlines()
    return None, words[-1] if words else f"status {judged.submission.status}"


@contextlib.contextmanager
def alone(build):
    """Times one submission after the other, even if several are graded at the same time."""
    with (build / "speed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # closing the file unlocks it
        yield


def graded(build, sandbox, step, texts, folder, result, seed):
    """Returns the speed's part of a result, only for a submission whose forces are correct."""
    if any(test["status"] != "passed" for test in result["tests"]):
        return refused(NOTHING, "only a submission that passes its tests is timed")
    build = build.resolve()
    try:
        program = SubmissionBuild(build, step, sandbox).program(folder, texts)
    except DoesNotBuild as error:
        return refused(NOTHING, f"it does not compile for the GPU: {error.complaint.in_a_line()}")
    reference, theirs = (SubmissionProcess(sandbox, path, [], [path], gpu=True, first=build / FIRST_PROCESS)
                         for path in (build / step / f"{step}_submission", program))
    ask = build / step / f"{step}_judge_timed"
    with alone(build):
        found = [compared(ask, step, bodies, reference, theirs, seed) for bodies in BODIES]
    return min(found, key=lambda speed: -1 if speed["score"] is None else speed["score"])


def compared(ask, step, bodies, reference, theirs, seed):
    """Returns the same for this number of bodies."""
    before, why = timed(ask, reference, bodies, seed)
    student, failure = timed(ask, theirs, bodies, seed + RUNS) if before else (None, None)
    after, why_after = timed(ask, reference, bodies, seed + 2 * RUNS) if student else (None, None)
    if student is None and before:
        return refused(NOTHING, failure)
    if before is None or after is None:
        # This is not the student's fault, so nothing is subtracted.
        return {**NOTHING, "score": None, "text": f"speed: not graded, because the reference did not run: {why or why_after}"}
    return judged(step, bodies, before, student, after)
