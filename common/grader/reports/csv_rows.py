"""A result of grade.py as a row of a table that spreadsheets and course systems read."""

from common.grader.reports.report import first_diagnosis, printable

COLUMNS = ["student", "score", "max_score", "speed", "status", "message", "file", "line", "seconds", "seed", "graded_at"]
FORMULA = tuple("=+-@\t\r")  # what a spreadsheet would compute in place of showing it


def cell(text):
    """Text as a spreadsheet shows it; None is an empty cell."""
    if text is None:
        return ""
    return f"'{printable(text)}" if str(text).startswith(FORMULA) else printable(text)


def status(result):
    if result["build"]["status"] != "passed":
        return "does not build"
    return "passed" if all(test["status"] == "passed" for test in result["tests"]) else "failed"


def csv_row(name, result, graded_at=""):
    """The row, by column, of the submission of the student with this name; speed is empty where none was measured."""
    speed = (result["speed"] or {}).get("score")
    found = first_diagnosis(result)
    return {"student": cell(name), "score": result["score"], "max_score": result["max_score"],
            "speed": "" if speed is None else speed, "status": status(result), "message": cell(found["text"]),
            "file": cell(found.get("file")), "line": found.get("line") or "", "seconds": result["seconds"],
            "seed": result["seed"], "graded_at": cell(graded_at)}


def ungraded_row(name, message, score=""):
    """The row of a submission without a result: score 0 where that is its student's doing, empty where it is not."""
    return dict.fromkeys(COLUMNS, "") | {"student": cell(name), "score": score, "max_score": 100,
                                         "status": "not graded", "message": cell(message)}
