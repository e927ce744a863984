"""A result of grade.py as Gradescope's results.json.

For the fields see https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format. Each text is plain
text with printable lines, so that nothing in a submission is interpreted.

As a script, it writes the results.json of a submission that got no grade: gradescope.py FILE WHAT TEXT [LOG]. WHAT is
too-long, not-a-submission, or no-fault, if the grader itself failed; then the last lines of its LOG are shown.
"""

import json
from pathlib import Path

from common.base.whole_file import write_whole
from common.grader.reports.report import clipped, diagnosis_texts, notes, task_name, texts_of_test

LAST = 20  # last lines of a log
PLAIN = {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}


def document(score, lines, **others):
    """Returns the contents of a results.json. Students see the lines, but not the grader's output."""
    return {"score": score, "output": "\n".join(map(clipped, lines)), **PLAIN, "visibility": "visible",
            "stdout_visibility": "hidden", **others}


def test_entry(result, said, test):
    if test.get("diagnosis"):
        lines = texts_of_test(test, result, said)
    elif test["status"] == "not run":
        lines = ["not run, because it does not compile" if result["build"]["status"] == "failed" else "not run"]
    else:
        lines = []
    return {"name": clipped(test["name"]), "score": test["points"], "max_score": test["max_points"],
            "status": "passed" if test["status"] == "passed" else "failed", "output": "\n".join(map(clipped, lines)),
            "visibility": "visible", "tags": [result["exercise"] or result["step"]]}


def leaderboard(result):
    """Returns the leaderboard: times of kernels that are correct and fast enough to be graded; empty if no time was measured.
    """
    speed = result["speed"] or {}
    if not speed.get("score") or not speed.get("force_ms"):
        return {}
    return {"leaderboard": [{"name": "Time (ms)", "value": round(speed["force_ms"], 4), "order": "asc"},
                            {"name": "Times the reference's", "order": "asc",
                             "value": round(speed["force_ms"] / speed["reference_ms"], 3)}]}


def head(result):
    lines = [f"{task_name(result)}: {result['score']:g} of {result['max_score']} points"]
    if result["build"]["status"] == "failed":
        lines += ["It does not compile.", *diagnosis_texts(result["build"]["diagnosis"])]
    return [*lines, *notes(result), f"seed of the random bodies: {result['seed']}"]


def results_json(result):
    """Returns the document. The points of its tests sum to its score."""
    said = {}
    tests = [test_entry(result, said, test) for test in result["tests"]]
    return document(result["score"], head(result), execution_time=result["seconds"], tests=tests, **leaderboard(result))


def ungraded(what, text, log=None):
    """Returns the document of a submission that got no grade."""
    if what == "no-fault":
        last_lines = Path(log).read_text(errors="replace").splitlines()[-LAST:] if log else []
        return document(0.0, ["The grader failed, so this submission was not graded. This is not your fault.",
                              "Tell your instructor, then hand in again.", "", f"{text}.", *last_lines])
    too_long = f"Grading did not end within {text}. Does your program end?"
    return document(0.0, [too_long if what == "too-long" else f"Nothing was graded: {text}."])


def add_arguments(parser):
    parser.add_argument("file")
    parser.add_argument("words", nargs="+")


def run(options):
    write_whole(options.file, json.dumps(ungraded(*options.words), indent=1) + "\n")
