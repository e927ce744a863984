"""A result of grade.py for GitHub Actions: an annotation for each diagnosis, and a summary of the job.

Both are said at https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
"""

import secrets

from common.grader.reports.report import (clipped, diagnoses, diagnosis_texts, markdown, mistake_of, notes, task_name,
                                          texts_of_test)

MARKS = {"passed": "✅", "failed": "❌", "not run": "➖"}


def data(text):
    """Text after the second ::"""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text):
    """The value of a property, between the two ::"""
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
    """Lines for standard output: each diagnosis once, by the first test that it stopped. folder: the submission's in
    its repository, "" or "2.1/" say
    """
    found = {}
    for title, diagnosis in diagnoses(result):
        found.setdefault(mistake_of(diagnosis), annotation(diagnosis, title, folder))
    return list(found.values())


def muted(text):
    """Text in which GitHub looks for no commands, also where a submission has made it say some."""
    token = secrets.token_hex(20)
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def summary(result):
    """Markdown for the page of the job."""
    lines = [f"## {markdown(task_name(result).capitalize())}: {result['score']:g} of {result['max_score']} points", ""]
    if result["build"]["status"] == "failed":
        lines += [f"It does not compile: {said(result['build']['diagnosis'])}", ""]
    lines += ["| | points | test | what is wrong |", "| --- | ---: | --- | --- |"]
    told = {}
    for test in result["tests"]:
        wrong = markdown(" ".join(texts_of_test(test, result, told)[:1]))
        points = f"{test['points']:g}/{test['max_points']}"
        lines.append(f"| {MARKS[test['status']]} | {points} | {markdown(test['name'])} | {wrong} |")
    for note in [*notes(result), f"seed of the random bodies: {result['seed']}"]:
        lines += ["", markdown(note)]
    return "\n".join([*lines, ""])


def said(diagnosis):
    return markdown(diagnosis_texts(diagnosis)[0])
