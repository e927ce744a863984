"""Writes docs/pages/exercises.md and docs/pages/mistakes.md from the exercises' files and the recorded reports on wrong
submissions, and the tables of docs/pages/instructors_guide.md and docs/pages/hostile.md.
"""

import json
import re

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.tools.exercises.exercises import STARTERS
from common.tools.exercises.grade_corpus import KEPT
from common.tools.exercises.puzzles import puzzles
from common.tools.markdown import stale, table, with_section, write

PAGE = ROOT / "docs" / "pages" / "instructors_guide.md"
MISTAKES_PAGE = PAGE.with_name("mistakes.md")
STUDENTS_PAGE = PAGE.with_name("exercises.md")
HOSTILE_PAGE = PAGE.with_name("hostile.md")
HOSTILE = KEPT.with_name("hostile.json")
PUZZLE_LINES = ROOT / "common" / "grader" / "mutants" / "puzzles.json"  # solutions and wrong lines
SEEN_LINES = 1  # wrong lines of each puzzle of which the site has a page, because each takes a second or more to record
SEEN_STEPS = ("01_naive", "02_tiled", "03_unrolled", "04_multithread_per_body")  # docs/see/forces.cu can launch their kernels
REPORT_LENGTH = 160  # characters of a report in the table
STUDENTS_HEAD = """# Exercises {#exercises}

`./run exercises my 1.1` writes the starter of 1.1 into `my/1.1`. Its README.md lists the files to hand in. In some exercises,
a `TODO` comment marks the place where code is missing. `./run grade 1.1 my/1.1` says what is wrong, and in which line. Its
last line links to a page that shows what the threads of your kernel do. No GPU is needed. On Ubuntu 22.04 and in most
containers, add `--trust`, because bubblewrap (the program that isolates submissions) does not work there. Your program then
runs without isolation. Open a hint only when you are stuck. The first hint gives away the least.

Ten puzzles come before the exercises. In each you write one line of a small program, and a page shows what its threads do.
`./run learn` begins with them, or type `./run exercises my p1` and then `./run cuda --see my/p1/map.cu`.
"""
WRITER = "python3 common/tools tools.exercises.instructors_guide"
EXAMPLE = "1.3"


def overview(found):
    rows = [(f"{e.number} {e.title}", e.fields["Goal"], e.step[:2], e.kind, e.fields["Minutes"]) for e in found]
    return table(("exercise", "goal", "step", "kind", "minutes"), rows, {4})


def is_seen(mutant):
    """Returns whether the site has a page of what the threads of a mutant do: of a changed kernel of the first steps."""
    return (mutant.step in SEEN_STEPS and not mutant.whole_program and
            not any("<<<" in hunks or "clear()" in hunks for _, hunks in mutant.hunks()))


def mistakes(exercise, recorded, corpus, starters):
    """Returns common wrong submissions, and the grader's message about each."""
    starter = starters[exercise.number]
    rows = [(why, f"`{question.name}`: {question.problem(value)}", "-")
            for question, value, why in exercise.wrong_answers]
    is_shown = False
    for name in exercise.mistakes:
        entry = recorded[name]
        place = f"`{entry['file']}:{entry['line']}`: " if entry["line"] else ""
        is_starter = (entry["message"], entry["score"]) == (starter["message"], starter["score"])
        is_shown |= is_starter
        mistake = corpus[name].mistake + (" (the starter)" if is_starter else "") + (f" {{{{seen {name}}}}}" if is_seen(corpus[name]) else "")
        rows.append((mistake, place + entry["message"].replace("|", "\\|"), f"{entry['score']:g}"))
    if not is_shown:
        rows.insert(0, ("the starter as it is", starter["message"], f"{starter['score']:g}"))
    return table(("mistake", "the report", "points"), rows, {2})


def details(found):
    recorded = {entry["name"]: entry for entry in json.loads(KEPT.read_text())["mutants"]}
    corpus = {m.name: m for m in mutant_corpus.corpus()}
    starters = {entry["number"]: entry for entry in json.loads(STARTERS.read_text())["starters"]}
    parts = [f"### {e.number}: {e.title}\n\n{mistakes(e, recorded, corpus, starters)}" for e in found]
    return "\n\n".join(parts)


def puzzle_mistakes():
    """Returns a section for each puzzle: likely wrong lines, and what students are told. A test compares it with a run."""
    lines, parts = json.loads(PUZZLE_LINES.read_text()), []
    for puzzle in puzzles():
        rows = [(f"`{line}`" if line else "(no line)", next(told for _, told in puzzle.says if words in told).replace("\\1", "0"),
                 f"{{{{seen {puzzle.number}_{number}}}}}" if number < SEEN_LINES else "") for number, (line, words) in enumerate(lines[puzzle.name]["wrong"])]
        parts.append(f"### {puzzle.number}: {puzzle.title}\n\n{table(('the line', 'what the student is told', 'what it does'), rows)}")
    return "\n\n".join(parts)


def summary():
    entries = json.loads(KEPT.read_text())["mutants"]
    highest = max(entries, key=lambda entry: entry["score"])
    low = sum(entry["score"] < 50 for entry in entries)
    return (f"We submitted {len(entries)} wrong kernels and programs of this suite for their tasks. {low} of them score below 50 points. "
            f"The highest score is {highest['score']:g}, for `{highest['name']}`. All scores and reports are in "
            f"`{KEPT.relative_to(ROOT)}`. Most of them are from an earlier marking, in which the first memory error ended all "
            "tests; today such a kernel gets more points.")


def written(page):
    """Returns the guide."""
    example = next(e for e in exercises() if e.number == EXAMPLE)
    rows = [(f"`{name}`", value) for name, value in example.fields.items() if value]
    rows += [("`## Task`", " ".join(example.sections["Task"].split())), ("`## Hints`", "; ".join(example.hints))]
    page = with_section(page, "mutants", summary(), WRITER)
    return with_section(page, "example", table(("line or section", "here"), rows), WRITER)


def with_mistakes(page):
    page = with_section(page, "overview", overview(exercises()), WRITER)
    page = with_section(page, "puzzles", puzzle_mistakes(), WRITER)
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


# Title of a section of the page: what its submissions have in common, and their kinds.
ATTACKS = {
    "Correct submissions": (
        "These submissions attack nothing. They are correct but unusual, and must get all points.",
        "correct but unusual"),
    "Answers without work": (
        "These submissions invent forces, answer with stored ones, or claim success without any. None of this helps, because the "
        "judge compares numbers, and the bodies are new in each grading.",
        "made-up answer, forces of before, known bodies, early end, own definitions"),
    "The work of others": (
        "These submissions search for a solution, or let another part of the suite compute the forces.",
        "solution, compiler that reads, question to the compiler, another's submission, work of the host, others' files, "
        "programs of the system"),
    "Another method": (
        "The forces of these submissions are correct, but the exercise requires another method. (The *transport of the ranks* is "
        "the part of the suite that carries messages between ranks, and *the ring* and *the gather* are two exchanges of step 08.)",
        "other work, memory of other ranks"),
    "Odd files": (
        "These submissions contain something that is not a plain source file, or too many files.",
        "files of a build, own headers, large files, links, no file, no text, odd names"),
    "Attacks on the compiler": (
        "These submissions make the compiler run without end, or make it build a program that does more than it should.",
        "endless compilation, endless source, huge object, linker, compiler that reads devices"),
    "Attacks on the report": (
        "These submissions try to forge the report, to make it useless, or to harm the person who opens it.",
        "forged report, forged recording, report that is hidden, formula, commands in a report, markup in a report, terminal, "
        "places of others, long report, flood of output"),
    "Runs that crash or never end": (
        "A submission that crashes or never ends may earn points only for the forces that it sent before.",
        "crash, endless run, slow all along, slow answer, closed pipe, signals"),
    "Too much memory, disk, or processes": (
        "These submissions try to use up the memory, the disk or the processes of the machine.",
        "much memory, memory of no process, full disk, many processes, many threads, limits"),
    "Escapes from the sandbox": (
        "These submissions try to read or change the machine outside. A *namespace* limits what a process can see. For example, a "
        "process in its own PID namespace sees no other processes.",
        "devices, kernel, namespaces, mounts, network, other processes, rights, secrets, users of the machine, gap, "
        "links in the place of results, written results"),
}


def hostile():
    """Returns a table of the recorded submissions that attack the grader: one for each kind of attack, and a row for each submission."""
    entries = json.loads(HOSTILE.read_text())["submissions"]
    section = {kind: title for title, (_, kinds) in ATTACKS.items() for kind in kinds.split(", ")}
    rows = {title: [] for title in ATTACKS}
    for entry in entries:
        cells = [f"`{entry['name']}`", re.sub("^(attacks nothing: )?(it )?", "", entry["tries"]), entry["stopped_by"],
                 as_code(entry["report"]), f"{entry['score']:g}"]
        rows[section[entry["kind"]]].append([cell.replace("|", "\\|") for cell in cells])
    heads = ("submission", "what it does", "what stops it", "what the report says", "points")
    tables = {title: table(heads, found, {4}) for title, found in rows.items()}
    harmless = next(iter(ATTACKS))  # nothing stops these, and the report says nothing
    tables[harmless] = table((*heads[:2], heads[4]), [(*row[:2], row[4]) for row in rows[harmless]], {2})
    return "\n\n".join(f"## {title}\n\n{ATTACKS[title][0]}\n\n{found}" for title, found in tables.items())


def pages():
    """Returns text by path."""
    sections = "\n".join(map(for_students, exercises()))
    return {PAGE: written(PAGE.read_text()), MISTAKES_PAGE: with_mistakes(MISTAKES_PAGE.read_text()),
            STUDENTS_PAGE: f"{STUDENTS_HEAD}\n{sections}",
            HOSTILE_PAGE: with_section(HOSTILE_PAGE.read_text(), "hostile", hostile(), WRITER)}


def problems():
    return stale(pages(), WRITER)


def run(options):
    write(pages())
