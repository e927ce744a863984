"""A result of grade.py for GitHub Actions: an annotation for each diagnosis, and a summary of the job.

Both are said at https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
"""

import secrets

from common.grader.reports.plain_text import clipped, markdown
from common.grader.reports.report import diagnosis_texts

MARKS = {"passed": "✅", "failed": "❌", "not run": "➖"}


def data(text):
    """Text after the second ::"""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text):
    """Of a property, between the two ::"""
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


def titled_diagnoses(result):
    """(title, diagnosis), each diagnosis once, by the first test that it stopped."""
    found = {}
    if result["build"]["status"] == "failed":
        found[key_of(result["build"]["diagnosis"])] = ("It does not compile", result["build"]["diagnosis"])
    for test in result["tests"]:
        if test.get("diagnosis"):
            found.setdefault(key_of(test["diagnosis"]), (test["name"], test["diagnosis"]))
    return found.values()


def key_of(diagnosis):
    return diagnosis["text"], diagnosis.get("file"), diagnosis.get("line")


def annotations(result, folder=""):
    """Lines for standard output. folder: of the submission in its repository, "" or "2.1/" say"""
    return [annotation(diagnosis, title, folder) for title, diagnosis in titled_diagnoses(result)]


def muted(text):
    """Text in which GitHub looks for no commands, also where a submission has made it say some."""
    token = secrets.token_hex(20)
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def summary(result):
    """Markdown for the page of the job."""
    what = f"Exercise {result['exercise']}" if result["exercise"] else f"Step {result['step']}"
    lines = [f"## {markdown(what)}: {result['score']:g} of {result['max_score']} points", ""]
    if result["build"]["status"] == "failed":
        lines += [f"It does not compile: {said(result['build']['diagnosis'])}", ""]
    lines += ["| | points | test | what is wrong |", "| --- | ---: | --- | --- |"]
    for test in result["tests"]:
        wrong = said(test["diagnosis"]) if test.get("diagnosis") else ""
        points = f"{test['points']:g}/{test['max_points']}"
        lines.append(f"| {MARKS[test['status']]} | {points} | {markdown(test['name'])} | {wrong} |")
    lines.append("")
    if result["ignored_files"]:
        lines += [f"Not used: {markdown(', '.join(result['ignored_files']))}", ""]
    if result["speed"]:
        lines += [markdown(result["speed"]["text"]), ""]
    return "\n".join([*lines, f"Random bodies of seed {result['seed']}.", ""])


def said(diagnosis):
    return markdown(diagnosis_texts(diagnosis)[0])
