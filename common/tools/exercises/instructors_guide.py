"""Writes docs/pages/exercises.md and docs/pages/mistakes.md from the exercises' files and the recorded reports on wrong
submissions, and the tables of docs/pages/instructors_guide.md and docs/pages/hostile.md.
"""

import json

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.tools.exercises.exercises import STARTERS
from common.tools.exercises.grade_corpus import KEPT
from common.tools.markdown import table, with_section

PAGE = ROOT / "docs" / "pages" / "instructors_guide.md"
MISTAKES_PAGE = PAGE.with_name("mistakes.md")
STUDENTS_PAGE = PAGE.with_name("exercises.md")
HOSTILE_PAGE = PAGE.with_name("hostile.md")
HOSTILE = KEPT.with_name("hostile.json")
REPORT_LENGTH = 200  # characters of a report in the table
STUDENTS_HEAD = """# Exercises {#exercises}

`./run exercises my 1.1` writes the starter of 1.1 into `my/1.1`. Its README.md lists the files to hand in. In some exercises,
a `TODO` comment marks the place where code is missing. `./run grade 1.1 my/1.1` says what is wrong, and in which line. No GPU
is needed. On Ubuntu 22.04 and in most containers, add `--trust`, because bubblewrap (the program that isolates
submissions) does not work there. Your program then runs without isolation. Open a hint only when you are stuck. The
first hint gives away the least.
"""
WRITER = "python3 common/tools tools.exercises.instructors_guide"
EXAMPLE = "1.3"


def overview(found):
    rows = [(f"{e.number} {e.title}", e.fields["Goal"], e.step[:2], e.kind, e.fields["Minutes"]) for e in found]
    return table(("exercise", "goal", "step", "kind", "minutes"), rows, {4})


def mistakes(exercise, recorded, corpus, starters):
    """Returns common wrong submissions, and the grader's message about each."""
    starter = starters[exercise.number]
    rows = [("the starter as it is", starter["message"], f"{starter['score']:g}")]
    rows += [(why, f"`{question.name}`: {question.problem(value)}", "-")
             for question, value, why in exercise.wrong_answers]
    for name in exercise.mistakes:
        entry = recorded[name]
        place = f"`{entry['file']}:{entry['line']}`: " if entry["line"] else ""
        message = entry["message"].replace("|", "\\|")
        rows.append((corpus[name].mistake, place + message, f"{entry['score']:g}"))
    return table(("common mistake", "the report", "points"), rows, {2})


def details(found):
    recorded = {entry["name"]: entry for entry in json.loads(KEPT.read_text())["mutants"]}
    corpus = {m.name: m for m in mutant_corpus.corpus()}
    starters = {entry["number"]: entry for entry in json.loads(STARTERS.read_text())["starters"]}
    parts = [f"### {e.number}: {e.title}\n\n{e.kind.capitalize()}, about {e.fields['Minutes']} minutes. Goal: "
             f"{e.fields['Goal']}.\n\n{mistakes(e, recorded, corpus, starters)}" for e in found]
    return "\n\n".join(parts)


def summary():
    entries = json.loads(KEPT.read_text())["mutants"]
    highest = max(entries, key=lambda entry: entry["score"])
    low = sum(entry["score"] < 50 for entry in entries)
    return (f"All {len(entries)} wrong kernels and programs of the corpus, submitted for their tasks: {low} score below 50, the "
            f"highest is {highest['score']:g} ({highest['name']}). Their scores and reports are kept in "
            f"`{KEPT.relative_to(ROOT)}`.")


def written(page):
    """Returns the guide."""
    example = next(e for e in exercises() if e.number == EXAMPLE)
    rows = [(f"`{name}`", value) for name, value in example.fields.items() if value]
    rows += [("`## Task`", " ".join(example.sections["Task"].split())), ("`## Hints`", "; ".join(example.hints))]
    page = with_section(page, "mutants", summary(), WRITER)
    return with_section(page, "example", table(("line or section", "here"), rows), WRITER)


def with_mistakes(page):
    page = with_section(page, "overview", overview(exercises()), WRITER)
    return with_section(page, "exercises", details(exercises()), WRITER)


def for_students(exercise):
    """Returns a section. A fold is one paragraph, because Doxygen ends it at an empty line."""
    hints = "\n\n".join(f"<details><summary>Hint {n}</summary>{hint}</details>"
                        for n, hint in enumerate(exercise.hints, 1))
    step = exercise.step[:2]
    return (f"## {exercise.number} {exercise.title} {{#exercise_{exercise.number.replace('.', '_')}}}\n\n"
            f"{exercise.kind.capitalize()}, about {exercise.fields['Minutes']} minutes. Step: \\ref step_{step} \"{step}\".\n\n"
            f"{exercise.sections['Task']}\n\n{hints}\n")


def as_code(text):
    """Returns a hostile text for a page: without macros, and without an end of the code, as which Doxygen reads ' too."""
    cut = text if len(text) <= REPORT_LENGTH else text[:REPORT_LENGTH] + "..."
    shown = cut.replace("{{", "{ {").translate(dict.fromkeys(map(ord, "`'"), "’"))
    return f"`{shown}`" if shown else ""


def hostile():
    """Returns a row for each recorded submission that attacks the grader."""
    rows = []
    for entry in json.loads(HOSTILE.read_text())["submissions"]:
        cells = [f"`{entry['name']}`", entry["tries"], entry["stopped_by"],
                 as_code(entry["report"]), f"{entry['score']:g}"]
        rows.append([cell.replace("|", "\\|") for cell in cells])
    return table(("submission", "tries", "to be stopped by", "the report", "points"), rows, {4})


def pages():
    """Returns text by path."""
    sections = "\n".join(map(for_students, exercises()))
    return {PAGE: written(PAGE.read_text()), MISTAKES_PAGE: with_mistakes(MISTAKES_PAGE.read_text()),
            STUDENTS_PAGE: f"{STUDENTS_HEAD}\n{sections}",
            HOSTILE_PAGE: with_section(HOSTILE_PAGE.read_text(), "hostile", hostile(), WRITER)}


def problems():
    return [f"{path.relative_to(ROOT)} is not what the exercises give; {WRITER} writes it"
            for path, text in pages().items() if not path.exists() or path.read_text() != text]


def add_arguments(parser):
    """Adds no arguments."""


def run(options):
    for path, text in pages().items():
        path.write_text(text)
        print(f"Written: {path.relative_to(ROOT)}")
