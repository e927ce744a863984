"""Makes the syllabi of docs/pages/course.md from docs/course/syllabi.json, and the milestones of docs/pages/homework.md from
docs/course/homework.json. These files plan the minutes of talk; those of exercises come from the exercises, those of reading
from the number of words on the pages.
"""

import json
import math
import re

from common.base.command_line import ROOT
from common.grader.exercises.files import exercises
from common.tools.docs.check import words
from common.tools.docs.solutions import Asked
from common.tools.exercises.puzzles import puzzles
from common.tools.markdown import table

COURSE = ROOT / "docs" / "course"
SHORT = {"two_hours": 120, "four_hours": 240, "eight_hours": 480}
WEEKS = "ten_weeks"
WORDS_A_MINUTE = 200
OWN_MINUTES = 420  # per week, at most: work that a student does alone
HOMEWORK_MINUTES = range(8 * 60, 12 * 60 + 1)


def syllabi():
    return json.loads((COURSE / "syllabi.json").read_text())


def homework():
    """Returns the milestones of each assignment, by its letter."""
    return json.loads((COURSE / "homework.json").read_text())


def exercise_minutes(part):
    minutes = {**{puzzle.number: puzzle.minutes for puzzle in puzzles()},
               **{exercise.number: int(exercise.fields["Minutes"]) for exercise in exercises()}}
    return sum(minutes[number] for number in part.get("exercises", ()))


def milestone_minutes(part):
    return exercise_minutes(part) + part.get("minutes", 0)


def homework_minutes(part, parts):
    """Returns the minutes of a week. Each assignment is spread evenly over the weeks that name it."""
    return sum(round(sum(map(milestone_minutes, homework()[letter])) / sum(letter in other.get("homework", ()) for other in parts))
               for letter in part.get("homework", ()))


def text_of(page):
    """Returns the text of a page by its name, or of the part of a page that has this name."""
    if page.startswith("step_"):
        return next((ROOT / "docs" / "pages").glob(f"{page[len('step_'):]}_*.md")).read_text()
    for own in (ROOT / "docs" / f"{page}.md", ROOT / "docs" / "pages" / f"{page}.md"):
        if own.exists():
            return own.read_text()
    texts = (source.read_text() for source in sorted((ROOT / "docs" / "pages").glob("*.md")))
    return next(found[0] for text in texts if (found := re.search(rf"^## .* {{#{page}}}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)))


def reading_minutes(part):
    """Returns minutes of reading, rounded up to fives, so that a page may grow by a sentence."""
    return sum(5 * math.ceil(words(text_of(page)) / WORDS_A_MINUTE / 5) for page in part.get("read", ()))


def link(page):
    title = text_of(page).splitlines()[0].lstrip("# ").partition(" {#")[0]
    return f'\\ref {page} "{title}"'


def clock(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def short(parts):
    """Returns a table for a course in one day. Its last row is the end."""
    rows, now = [], 0
    for part in parts:
        practice = exercise_minutes(part)
        rows.append((clock(now), part["topic"], part.get("unit", ""), str(part["talk"]),
                     ", ".join(part.get("exercises", ())), str(practice or "")))
        now += part["talk"] + practice
    return table(("at", "topic", "unit", "talk", "exercises", "minutes"), [*rows, (clock(now), "End", "", "", "", "")],
                 {0, 3, 5})


def numbers_of(numbers):
    """Returns the numbers for a table. Puzzles come all together."""
    return f"{numbers[0]} to {numbers[-1]}" if numbers and numbers[0].startswith("p") else ", ".join(numbers)


def weeks(parts):
    """Returns a table for a course in ten weeks, after week 0."""
    rows = []
    for number, part in enumerate(parts):
        minutes = [reading_minutes(part), exercise_minutes(part), homework_minutes(part, parts)]
        rows.append((str(number), part["topic"], part["unit"], str(part["talk"]), ", ".join(map(link, part["read"])),
                     str(minutes[0]), numbers_of(part["exercises"]), str(minutes[1]), ", ".join(part.get("homework", ())),
                     str(minutes[2]), f"{(part['talk'] + sum(minutes)) / 60:.1f}", ", ".join(part["hand_in"]),
                     ", ".join(part.get("shown", ()))))
    return table(("week", "topic", "unit", "lectures", "reading", "min", "exercises", "min", "homework", "min", "hours",
                  "to hand in", "in the lecture"), rows, {0, 3, 5, 7, 9, 10})


def syllabus(name):
    parts = syllabi()[name]
    return weeks(parts) if name == WEEKS else short(parts)


def milestones(letter):
    """Returns a table of an assignment."""
    parts = homework()[letter]
    rows = [(f"{letter}{number}", part["what"], str(milestone_minutes(part)), str(part["points"]), part["by"])
            for number, part in enumerate(parts, 1)]
    hours = sum(map(milestone_minutes, parts)) / 60
    return table(("milestone", "what", "minutes", "points", "graded by"),
                 [*rows, ("", "all", f"{hours:.1f} hours", str(sum(part["points"] for part in parts)), "")], {2, 3})


def given_away(parts):
    """Returns (earlier, later): exercises with kernels to complete whose answer an earlier starter, or the lecture, shows."""
    asked = {exercise.number: Asked(exercise) for exercise in exercises()}
    kinds = {exercise.number: exercise.kind for exercise in exercises()}
    order = [(number, key) for part in parts for key in ("shown", "exercises") for number in part.get(key, ())]
    return [(a, b) for place, (b, key) in enumerate(order) for a, _ in order[:place]
            if key == "exercises" and a in asked and b in asked and kinds[b].startswith("complete") and asked[b].lines <= asked[a].given]


def problems():
    """Returns one line for each plan that does not fit."""
    found = []
    for name, parts in syllabi().items():
        total = sum(part["talk"] + exercise_minutes(part) for part in parts)
        if name in SHORT and total != SHORT[name]:
            found.append(f"{name}: {total} minutes, not {SHORT[name]}")
        found += [f"{name}: the starter of {a} shows the answer of {b}" for a, b in given_away(parts)]
        for number, part in enumerate(parts):
            alone = reading_minutes(part) + exercise_minutes(part) + homework_minutes(part, parts)
            if name == WEEKS and alone > OWN_MINUTES:
                found.append(f"week {number}: {alone} minutes alone, at most {OWN_MINUTES}")
    for letter, parts in homework().items():
        total = sum(map(milestone_minutes, parts))
        if total not in HOMEWORK_MINUTES:
            found.append(f"homework {letter}: {total} minutes, not 8 to 12 hours")
    return found
