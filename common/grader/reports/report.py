"""The report of a graded submission, as text."""

from pathlib import Path

from common.grader.reports.plain_text import printable

MARKS = {"passed": "ok  ", "failed": "FAIL", "not run": "-   "}


def place_of(diagnosis, submission):
    """`DIR/forces.cu:45`, or nothing."""
    if not diagnosis.get("file"):
        return ""
    line = f":{diagnosis['line']}" if diagnosis.get("line") else ""
    return f"{Path(submission) / diagnosis['file']}{line}"


def diagnosis_texts(diagnosis):
    """Its lines, where the submission's folder needs no saying."""
    place = place_of(diagnosis, "")
    first = f"{place}: {diagnosis['text']}" if place else diagnosis["text"]
    return [first, *(f"  {line}" for line in diagnosis.get("details", []))]


def diagnosis_lines(diagnosis, submission, seen):
    """Each diagnosis in full once, and only its first line again."""
    place = place_of(diagnosis, submission)
    first = f"{place}: {diagnosis['text']}" if place else diagnosis["text"]
    details = [] if first in seen else [f"  {line}" for line in diagnosis.get("details", [])]
    seen.add(first)
    return [f"               {line}" for line in [first, *details]]


def printed(result):
    """All that a student needs to act."""
    what = f"exercise {result['exercise']}" if result["exercise"] else f"step {result['step']}"
    lines = [f"{result['submission']}, {what}: {result['score']:g} of {result['max_score']} points"]
    seen = set()
    if result["build"]["status"] == "failed":
        lines += ["FAIL           it does not compile",
                  *diagnosis_lines(result["build"]["diagnosis"], result["submission"], seen)]
    for test in result["tests"]:
        points = f"{test['points']:g}/{test['max_points']}"
        lines.append(f"{MARKS[test['status']]} {points:>7}   {test['name']}")
        if "diagnosis" in test:
            lines += diagnosis_lines(test["diagnosis"], result["submission"], seen)
    if result["ignored_files"]:
        lines.append(f"not used: {', '.join(result['ignored_files'])}")
    if result["speed"]:
        lines.append(result["speed"]["text"])
    return "\n".join(map(printable, lines))
