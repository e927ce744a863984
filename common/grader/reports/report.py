"""The report of a graded submission as text, and what all reports have in common."""

import json
import re
import textwrap
from pathlib import Path

from common.base.command_line import printable

LONGEST = 400  # characters of a line, because compilers say much about templates
DETAILS = 20  # lines of a diagnosis
LONGEST_RESULT = 256 << 10  # bytes of a result
NAMES = 20  # most unused files that a report names
INDENT = "     "
TIME_LEFT = "the time for all tests was used up"
ENDLESS = re.compile("did not end within|took too long")  # of a run after which no time is left


def clipped(text):
    """Returns printable() text of at most LONGEST characters."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST - 3]}..."


def markdown(text):
    """Returns the text in one line of Markdown, also for tables. Marks become numbers, so that nothing is markup."""
    return re.sub(r"[!-'*+;-@\[-`{-~]", lambda mark: f"&#{ord(mark.group())};", clipped(text))


def diagnosis_of(complaint):
    """Returns a Complaint for a result, short enough to read, whatever a submission prints."""
    details = [clipped(line) for line in complaint.details[:DETAILS]]
    if len(complaint.details) > DETAILS:
        details.append(f"and {len(complaint.details) - DETAILS:,} more lines")
    file = clipped(complaint.file) if complaint.file else complaint.file
    return {"text": clipped(complaint.text), "details": details, "file": file, "line": complaint.line,
            "is_effect": complaint.is_effect}


def some_of(names):
    """Returns the first NAMES of the names, and how many more there are."""
    return [*names[:NAMES], *([f"{len(names) - NAMES:,} more"] if len(names) > NAMES else [])]


def bounded(result):
    """Returns the result, without the details of its diagnoses if it would be longer than LONGEST_RESULT."""
    for name, diagnosis in reversed(diagnoses(result)):
        if len(json.dumps(result)) <= LONGEST_RESULT:
            break
        diagnosis["details"] = []
    return result


def task_name(result):
    return f"exercise {result['exercise']}" if result["exercise"] else f"step {result['step']}"


def diagnoses(result):
    """Returns (what failed, the diagnosis), in the order of the report."""
    parts = [("it does not compile", result["build"])] if result["build"]["status"] == "failed" else []
    parts += [(test["name"], test) for test in result["tests"]]
    return [(name, part["diagnosis"]) for name, part in parts if part.get("diagnosis")]


def first_diagnosis(result):
    """Returns the first mistake; empty if there is none. A kernel that is not new has no place."""
    none = {"text": told_same(result), "file": None, "line": None}
    return none if none["text"] else next((diagnosis for _, diagnosis in diagnoses(result)), none)


def told_same(result):
    """Returns what a kernel is that was handed out, or that does not have the step's idea; empty for any other kernel."""
    if not result.get("same_as"):
        return ""
    if result["build"]["status"] == "failed":
        return f"{result['same_as']}, which does not fit the other files of step {result['step'][:2]}"
    return f"{result['same_as']}, so only a quarter of the points counts"


def diagnosis_texts(diagnosis, submission=""):
    """Returns the lines of a diagnosis, with a place such as `DIR/forces.cu:45`. submission: the folder, if the lines name it
    """
    first = diagnosis["text"]
    if diagnosis.get("file"):
        line = f":{diagnosis['line']}" if diagnosis.get("line") else ""
        first = f"{Path(submission) / diagnosis['file']}{line}: {first}"
    return [first, *(f"  {line}" for line in diagnosis.get("details", []))]


def mistake_of(diagnosis):
    """Returns a text that is equal for equal mistakes, because numbers differ from test to test, and so does the array of a race."""
    text = re.sub(r"^(race on [^:]*): .*", r"\1", diagnosis["text"])
    return re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "0", text), diagnosis.get("file"), diagnosis.get("line")


def cause_of(diagnosis, earlier):
    """Returns mistake_of(), or the one of `earlier` that probably causes it too: the first if the diagnosis only says what is wrong
    with forces, and a race if a thread reads, in the race's line, shared memory that no thread has written yet.
    """
    if diagnosis.get("is_effect") and earlier:
        return next(iter(earlier))
    race = "race on shared memory", diagnosis.get("file"), diagnosis.get("line")
    return race if race in earlier and diagnosis["text"].startswith("uninitialised shared memory") else mistake_of(diagnosis)


def texts_of_test(test, result, said, submission=""):
    """Returns the lines of a test's diagnosis. said: mistakes of earlier tests; this one is added"""
    if not test.get("diagnosis"):
        return []
    mistake = cause_of(test["diagnosis"], said)
    if first := said.get(mistake):
        probably = "" if mistake == mistake_of(test["diagnosis"]) else "probably "
        return [f"this is {probably}the same mistake as in the test '{first}'"]
    said[mistake] = test["name"]
    failed = sum(mistake_of(t["diagnosis"]) == mistake for t in result["tests"] if t.get("diagnosis"))
    count = [f"  {failed} of {len(result['tests'])} tests failed because of it"] if failed > 1 else []
    return diagnosis_texts(test["diagnosis"], submission) + count


def notes(result, whole=True):
    """Returns lines about what is not tested. whole: first a line about what the submission is a copy of"""
    same = list(filter(None, [told_same(result)])) if whole else []
    unused = [f"files that were not used: {', '.join(result['ignored_files'])}"] if result["ignored_files"] else []
    return same + unused + ([result["speed"]["text"]] if result["speed"] else [])


def points_of(points):
    return f"{points:g} point{'s' * (points != 1)}"


def lost(test):
    return round(test["max_points"] - test["points"], 1)


def named(tests, points):
    """Returns the tests with their points, in lines of a terminal's width. points: function of a test"""
    names = ", ".join(f"{test['name']} ({points(test):g})" for test in tests)
    return textwrap.wrap(names, 90, initial_indent=INDENT, subsequent_indent=INDENT)


def causes(result):
    """Returns [(diagnosis, tests that fail with it)], the first cause first, and tests that were not run last."""
    found = {}
    for test in result["tests"]:
        if test["status"] == "failed" and test.get("diagnosis"):
            found.setdefault(cause_of(test["diagnosis"], found), (test["diagnosis"], []))[1].append(test)
    return list(found.values())


def printed(result):
    """Returns what a student needs: each mistake once, the first cause first, with the tests that it fails."""
    lines = [f"{result['submission']}, {task_name(result)}: {result['score']:g} of {result['max_score']} points"]
    if same := told_same(result):
        lines += ["", f"{same[:1].upper()}{same[1:]}."]
    if result["build"]["status"] == "failed":
        first, *more = diagnosis_texts(result["build"]["diagnosis"], result["submission"])
        lines += ["", f"It does not compile: {first}", *(f"{INDENT}{line[2:]}" for line in more)]
    waiting = [test for test in result["tests"] if test["status"] == "not run" and test.get("diagnosis")]
    for diagnosis, tests in causes(result):
        first, *more = diagnosis_texts(diagnosis, result["submission"])
        details = [f"{INDENT}{line.strip()}" for line in more]
        lines += ["", f"FAIL {first}", *(line for line in details if line not in lines)]
        lines += [f"{INDENT}This costs {points_of(round(sum(map(lost, tests)), 1))}:", *named(tests, lost)]
        # Other tests need only the first one (run_tests), or time.
        of_it = [test for test in waiting if (TIME_LEFT not in test["diagnosis"]["text"] or ENDLESS.search(diagnosis["text"]))]
        if of_it:
            lines += [f"{INDENT}{len(of_it)} more test{'s were' if len(of_it) != 1 else ' was'} not run because of it "
                      f"({points_of(round(sum(map(lost, of_it)), 1))})."]
            waiting = [test for test in waiting if test not in of_it]
    if waiting:
        why = waiting[0]["diagnosis"]["text"]
        lines += ["", f"{why[:1].upper()}{why[1:]}:", *named(waiting, lost)]
    if passed := [test for test in result["tests"] if test["status"] == "passed"]:
        lines += ["", f"Passed ({points_of(round(sum(test['points'] for test in passed), 1))}):",
                  *named(passed, lambda test: test["points"])]
    return "\n".join(map(printable, lines + notes(result, whole=False)))
