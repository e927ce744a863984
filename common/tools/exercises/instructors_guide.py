"""Makes the texts that pages take from the exercises' files and from the recorded reports on wrong submissions ({{made NAME}} of
docs/pages, see common/tools/docs/pages.py).
"""

import json

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.tools.exercises.exercises import STARTERS
from common.tools.exercises.grade_corpus import KEPT
from common.tools.exercises.puzzles import puzzles
from common.tools.markdown import table

PUZZLE_LINES = ROOT / "common" / "grader" / "mutants" / "puzzles.json"  # solutions and wrong lines
# docs/see/forces.cu can launch the kernels of the first four, docs/see/rotation.cu that of step 05 for one tile.
SEEN_STEPS = ("01_naive", "02_tiled", "03_unrolled", "04_multithread_per_body", "05_triangular_map")
EXAMPLE = "1.3"


def overview():
    """Returns a table of all exercises."""
    rows = [(f"{e.number} {e.title}", e.fields["Goal"], e.step[:2], e.kind, e.fields["Minutes"]) for e in exercises()]
    return table(("exercise", "goal", "step", "kind", "minutes"), rows, {4})


def is_seen(mutant):
    """Returns whether the site has a page of what the threads of a mutant do: of a changed kernel of the first steps."""
    return (mutant.step in SEEN_STEPS and not mutant.whole_program and
            not any("<<<" in hunks or "clear()" in hunks for _, hunks in mutant.hunks()))


def mistakes_of(exercise, recorded, corpus, starters):
    """Returns common wrong submissions, and the grader's message about each."""
    starter = starters[exercise.number]
    rows = [(why, f"`{question.name}`: {question.problem(value)}", "-")
            for question, value, why in exercise.wrong_answers]
    is_shown = False
    for name in exercise.mistakes:
        entry = recorded[name]
        place = f"`{entry['file']}:{entry['line']}`: " if entry["line"] else ""
        is_starter = name == exercise.fields.get("Mutant")
        is_shown |= is_starter
        score = starter["score"] if is_starter else entry["score"]  # of unchanged files only a quarter counts
        mistake = corpus[name].mistake + (" (the starter)" if is_starter else "") + (f" {{{{seen {name}}}}}" if is_seen(corpus[name]) else "")
        rows.append((mistake, place + entry["message"].replace("|", "\\|"), f"{score:g}"))
    if not is_shown:
        rows.insert(0, ("the starter as it is", starter["message"], f"{starter['score']:g}"))
    return table(("mistake", "the report", "points"), rows, {2})


def mistakes():
    """Returns a section for each exercise."""
    recorded = {entry["name"]: entry for entry in json.loads(KEPT.read_text())["mutants"]}
    corpus = {m.name: m for m in mutant_corpus.corpus()}
    starters = {entry["number"]: entry for entry in json.loads(STARTERS.read_text())["starters"]}
    parts = [f"### {e.number}: {e.title}\n\n{mistakes_of(e, recorded, corpus, starters)}" for e in exercises()]
    return "\n\n".join(parts)


def puzzle_mistakes():
    """Returns a section for each puzzle: likely wrong lines, and what students are told. A test compares it with a run."""
    lines, parts = json.loads(PUZZLE_LINES.read_text()), []
    for puzzle in puzzles():
        rows = [(f"`{line}`" if line else "(no line)", next(told for _, told in puzzle.says if words in told).replace("\\1", "0"),
                 f"{{{{seen {puzzle.number}_{number}}}}}") for number, (line, words) in enumerate(lines[puzzle.name]["wrong"])]
        parts.append(f"### {puzzle.number}: {puzzle.title}\n\n{table(('the line', 'what the student is told', 'what it does'), rows)}")
    return "\n\n".join(parts)


def marks():
    """Returns how many points the wrong kernels get."""
    entries = json.loads(KEPT.read_text())["mutants"]
    highest = max(entries, key=lambda entry: entry["score"])
    low = sum(entry["score"] < 50 for entry in entries)
    return (f"We submitted {len(entries)} wrong kernels and programs of this suite for their tasks. {low} of them score below 50 points. "
            f"The highest score is {highest['score']:g}, for `{highest['name']}`. All scores and reports are in "
            f"`{KEPT.relative_to(ROOT)}`. Those of steps 01 to 05 and 10 are from today's marking. The others are from an earlier marking, in "
            "which the first memory error ended all tests. Today such a kernel gets more points.")


def example():
    """Returns a table of one exercise's file."""
    shown = next(e for e in exercises() if e.number == EXAMPLE)
    rows = [(f"`{name}`", value) for name, value in shown.fields.items() if value]
    rows += [("`## Task`", " ".join(shown.sections["Task"].split())), ("`## Hints`", "; ".join(shown.hints))]
    return table(("line or section", "here"), rows)


def for_students(exercise):
    """Returns a section. A fold is one paragraph, because Doxygen ends it at an empty line."""
    hints = "\n\n".join(f"<details><summary>Hint {n}</summary>{hint}</details>"
                        for n, hint in enumerate(exercise.hints, 1))
    step = exercise.step[:2]
    return (f"## {exercise.number} {exercise.title} {{#exercise_{exercise.number.replace('.', '_')}}}\n\n"
            f"{exercise.kind.capitalize()}, about {exercise.fields['Minutes']} minutes. Step: \\ref step_{step} \"{step}\".\n\n"
            f"{exercise.sections['Task']}\n\n{hints}\n")


def exercises_of_students():
    """Returns the tasks and hints of all exercises."""
    return "\n".join(map(for_students, exercises()))
