"""Tests of the course: the plans and their minutes, the notes for teachers, the cheat sheet's reports."""

import json
import re
import unittest

from common.base.command_line import ROOT, run_command
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.grader.export import export, sheet
from common.tests.tools.case import InFolder, call, called
from common.tools.commands import COMMANDS
from common.tools.exercises import course
from common.tools.exercises.puzzles import puzzles

UNITS = sheet.units()


def section(text, name):
    return re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


class Plans(unittest.TestCase):
    def test_they_fit_their_hours(self):
        self.assertEqual(course.problems(), [])

    def test_units_exercises_and_pages_are_there(self):
        known = {one.number for one in [*puzzles(), *exercises()]}
        for parts in course.syllabi().values():
            for part in parts:
                self.assertLessEqual(set(part.get("exercises", ())), known)
                self.assertTrue(all(course.text_of(page) for page in part.get("read", ())))
                self.assertLessEqual(set(part["unit"].split(", ") if part.get("unit") else ()), UNITS.keys())


class Notes(unittest.TestCase):

    def test_what_is_shown_live_is_there(self):
        mutants = {mutant.name for mutant in mutant_corpus.corpus()}
        for step, file in UNITS.items():
            text = section(file.read_text(), "Show live")
            for command, word in re.findall(r"\./run (\w+)(?: --mutants (\w+))?", text):
                self.assertIn(command, COMMANDS, step)
                if command == "test":
                    self.assertIn(word, mutants, step)

    def test_students_get_none_of_it(self):
        pages = "".join(path.read_text() for path in (ROOT / "docs" / "pages").glob("*.md"))
        for file in UNITS.values():
            for key in re.findall(r"^   Key: (.+)", file.read_text(), re.MULTILINE):
                self.assertNotIn(key, pages)


class Sheets(InFolder):
    """./run export sheet"""

    def test_a_sheet_has_the_questions_and_no_key(self):
        for step, file in UNITS.items():
            with self.subTest(step):
                made = self.folder / f"sheet_{step}.md"
                said = self.expect_success(call(run_command, "export", export, ["sheet", step, "--output", str(made)]))
                self.assertEqual(said, f"{made}\n")
                text = made.read_text()
                self.assertEqual(re.findall(r"^## (.+)", text, re.MULTILINE), ["Quiz", "Project"])
                self.assertEqual(re.findall(r"^(\d)\. ", text, re.MULTILINE), ["1", "2", "3"])
                notes = file.read_text()
                self.assertNotIn("Key:", text)
                for key in re.findall(r"^   Key: (?:.*\n)(?:   .*\n)*", notes, re.MULTILINE):
                    for line in key.splitlines():
                        self.assertNotIn(line.strip(), text)
                self.assertIn(section(notes, "Project"), text)

    def test_of_an_exercise_there_is_none(self):
        self.expect_refusal(called("grader.export.export", "sheet", "2.1", cwd=self.folder),
                            f"a sheet is of a whole step or unit, one of {' '.join(UNITS)}, not of '2.1'")
        self.assertEqual([*self.folder.iterdir()], [])


class CheatSheet(unittest.TestCase):
    def test_its_reports_are_those_that_students_get(self):
        page = (ROOT / "docs" / "pages" / "cheat_sheet.md").read_text()
        told = " ".join(entry["message"] for entry in
                        json.loads((ROOT / "docs/results/course/mutants.json").read_text())["mutants"])
        rows = re.findall(r"^\| (.+?) \| .+ \|$", section(page, "What the reports mean"), re.MULTILINE)[2:]
        self.assertGreater(len(rows), 10)
        for row in rows:
            self.assertIn(row, told)
