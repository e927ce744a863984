"""Writes what docs/pages/instructors_guide.md says of each exercise: from its file, and from the recorded reports on
wrong hand-ins.

instructors_guide.py            writes the page
instructors_guide.py --check    exits with 1 where the page is not what the exercises give
"""

import json
import sys

import mutant_corpus
from exercise_files import exercises
from grade_corpus import KEPT
from mutants_page import with_section
from programs import ROOT

PAGE = ROOT / "docs" / "pages" / "instructors_guide.md"
MARK = ("<!-- {}: begin (written by common/tools/instructors_guide.py) -->", "<!-- {}: end -->")
EXAMPLE = "1.3"


def overview(found):
    rows = ["| exercise | step | kind | minutes | goal |", "| --- | --- | --- | ---: | --- |"]
    rows += [f"| {e.number} {e.title} | {e.step} | {e.kind} | {e.fields['Minutes']} | {e.fields['Goal']} |"
             for e in found]
    return "\n".join(rows)


def mistakes(exercise, recorded, corpus):
    """What students hand in, and what they are told: a row for each."""
    rows = []
    for name in exercise.mistakes:
        entry = recorded[name]
        place = f"`{entry['file']}:{entry['line']}`: " if entry["line"] else ""
        message = entry["message"].replace("|", "\\|")
        rows.append(f"| {corpus[name].mistake} | {place}{message} | {entry['score']:g} |")
    head = ["| common mistake | the report | points |", "| --- | --- | ---: |"]
    return "\n".join([*head, *rows]) if rows else "Graded by recorded results, or by a law of its own: no mutants."


def details(found):
    recorded = {entry["name"]: entry for entry in json.loads(KEPT.read_text())["mutants"]}
    corpus = {m.name: m for m in mutant_corpus.corpus()}
    parts = [f"### {e.number}: {e.title}\n\n{e.kind.capitalize()}, about {e.fields['Minutes']} minutes. Goal: "
             f"{e.fields['Goal']}.\n\n{mistakes(e, recorded, corpus)}" for e in found]
    return "\n\n".join(parts)


def summary():
    entries = json.loads(KEPT.read_text())["mutants"]
    highest = max(entries, key=lambda entry: entry["score"])
    low = sum(entry["score"] < 50 for entry in entries)
    return (f"All {len(entries)} wrong kernels of the corpus, handed in for their steps: {low} score below 50, the "
            f"highest is {highest['score']:g} ({highest['name']}). Their scores and reports are kept in "
            f"`{KEPT.relative_to(ROOT)}`.")


def written(page):
    found = exercises()
    example = next(e for e in found if e.number == EXAMPLE)
    text = (ROOT / example.step / "exercises" / f"{EXAMPLE}.md").read_text()
    for name, content in (("overview", overview(found)), ("mutants", summary()), ("exercises", details(found)),
                          ("example", f"````\n{text.rstrip()}\n````")):
        page = with_section(page, name, content, MARK)
    return page


def problems():
    return [] if written(PAGE.read_text()) == PAGE.read_text() else [
        f"{PAGE.relative_to(ROOT)} is not what the exercises give; common/tools/instructors_guide.py writes it"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(problems()))
    PAGE.write_text(written(PAGE.read_text()))
    print(f"Written: {PAGE.relative_to(ROOT)}")
