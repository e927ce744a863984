"""Reports a result of grade.py to GitHub Actions: an annotation for each diagnosis, and a summary of the job.

For the formats see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
"""

import secrets

from common.grader.reports.report import (clipped, diagnoses, diagnosis_texts, markdown, mistake_of, notes, task_name,
                                          texts_of_test)

MARKS = {"passed": "✅", "failed": "❌", "not run": "➖"}


def data(text):
    """Returns text for the place after the second ::"""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text):
    """Returns the value of a property, which stands between the two ::"""
    return data(clipped(text)).replace(":", "%3A").replace(",", "%2C")


def annotation(diagnosis, title, folder):
    place = {}
    if diagnosis.get("file"):
        place["file"] = f"{folder}{diagnosis['file']}"
        if diagnosis.get("line"):
            place["line"] = diagnosis["line"]
    properties = ",".join(f"{name}={value(text)}" for name, text in {**place, "title": title}.items())
    lines = [diagnosis["text"], *diagnosis.get("details", [])]
    return f"::error {properties}::{data(chr(10).join(map(clipped, lines)))}"


def annotations(result, folder=""):
    """Returns lines for standard output: each diagnosis once, at the first test that it failed. folder: the submission's folder
    in its repository, for example "" or "2.1/"
    """
    found = {}
    for title, diagnosis in diagnoses(result):
        found.setdefault(mistake_of(diagnosis), annotation(diagnosis, title, folder))
    return list(found.values())


def muted(text):
    """Returns text in which GitHub does not execute commands, even if a submission prints some."""
    token = secrets.token_hex(20)
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def summary(result):
    """Returns Markdown for the page of the job."""
    lines = [f"## {markdown(task_name(result).capitalize())}: {result['score']:g} of {result['max_score']} points", ""]
    if result["build"]["status"] == "failed":
        lines += [f"It does not compile: {markdown(diagnosis_texts(result['build']['diagnosis'])[0])}", ""]
    lines += ["| | points | test | what is wrong |", "| --- | ---: | --- | --- |"]
    told = {}
    for test in result["tests"]:
        wrong = markdown(" ".join(texts_of_test(test, result, told)[:1]))
        points = f"{test['points']:g}/{test['max_points']}"
        lines.append(f"| {MARKS[test['status']]} | {points} | {markdown(test['name'])} | {wrong} |")
    for note in [*notes(result), f"seed of the random bodies: {result['seed']}"]:
        lines += ["", markdown(note)]
    return "\n".join([*lines, ""])
