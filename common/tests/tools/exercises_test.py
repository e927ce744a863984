"""Tests of the exercises' files, and of the starters that are made from them."""

import unittest

from common.base.command_line import ROOT
from common.grader.exercises import files, mutant_corpus
from common.grader.exercises.answers import Question, read_answers
from common.grader.exercises.files import KINDS, parse
from common.grader.exercises.patches import BadFile
from common.tests.tools.case import InFolder, called

TEXT = """Title: One
Kind: complete the kernel
Minutes: 10
Goal: a goal

## Task

Do it.

## Hints

1. Think.
"""


class Exercises(unittest.TestCase):
    def test_each_step_has_two_and_each_kind_is_there(self):
        found = files.exercises()
        steps = {path.parent.name for path in ROOT.glob("[0-9][0-9]_*/CMakeLists.txt")}
        for step in steps:
            self.assertGreaterEqual(sum(e.step == step for e in found), 2, step)
        self.assertEqual({e.kind for e in found}, set(KINDS))
        self.assertEqual(len({e.number for e in found}), len(found))

    def test_each_starter_differs_from_the_solution(self):
        names = {m.name for m in mutant_corpus.corpus()}
        for exercise in files.exercises():
            with self.subTest(exercise.number):
                starter, solution = exercise.starter(), exercise.solution()
                self.assertEqual(starter.keys(), solution.keys())
                self.assertNotEqual(starter, solution)
                self.assertLessEqual(set(exercise.mistakes), names)
                # Exercises with whole programs come before the steps.
                before = exercise.program and not exercise.words("Counts")
                self.assertEqual(int(exercise.number.split(".")[0]), 0 if before else int(exercise.step[:2]))

    def test_each_patch_is_of_an_exercise_and_applies_to_its_step(self):
        known = {f"{e.step}/exercises/{e.number}.{makes}.patch": e.patch(makes)
                 for e in files.exercises() for makes in ("starter", "solution")}
        for path in ROOT.glob("[0-9][0-9]_*/exercises/*.patch"):
            with self.subTest(path.name):
                patch = known[str(path.relative_to(ROOT))]
                self.assertEqual(patch.step, path.parents[1].name)
                for name, original in patch.originals().items():
                    self.assertNotEqual(patch.sources()[name], original)


class Files(unittest.TestCase):
    def test_an_exercise_is_read(self):
        exercise = parse("2.1", "02_tiled", TEXT)
        self.assertEqual((exercise.title, exercise.kind, exercise.number_in("Reads")), ("One", "complete the kernel", None))

    def test_a_bad_one_is_refused(self):
        for old, new in (("Title: One\n", ""), ("complete", "finish"), ("Goal: ", "Gaol: "), ("## Hints", "## Clues"),
                         ("Minutes: 10", "Title: Two")):
            with self.assertRaises(BadFile, msg=new):
                parse("2.1", "02_tiled", TEXT.replace(old, new))


class Answers(unittest.TestCase):
    def test_answers_are_read_with_their_lines(self):
        self.assertEqual(read_answers("a = 1\n\n b=2.5 \n# c\n"), {"a": ("1", 1), "b": ("2.5", 3)})

    def test_a_recorded_figure_also_of_one_of_several_runs(self):
        for place, right, wrong, within in (("instructions_03.json", 13.25, 12, 0.35),
                                            ("ladder.json where step=02_tiled bodies=16384", 15.25, 15.5, 0.1)):
            question = Question.parse(f"s is issue_slots of h200/{place} within {within}")
            self.assertIsNone(question.problem(right))
            self.assertIsNone(question.problem(question.best()))
            self.assertEqual(question.problem(wrong),
                             f"your answer {wrong} differs from the measured value by more than {within}")

    def test_the_fastest_of_a_sweep(self):
        question = Question.parse("t is the fastest threads_per_body of h200/threads.csv at 1024 bodies within 1.15")
        self.assertIsNone(question.problem(question.best()))
        self.assertIn("times as long", question.problem(1))
        self.assertIn("was not measured", question.problem(3))
        with self.assertRaises(ValueError):
            Question.parse("t is the fastest threads_per_body of h200/threads.csv within 1.15")


class Command(InFolder):
    def test_starters_are_written_once(self):
        place = self.folder / "all"
        self.assertEqual(called("tools.exercises.exercises", place, "2.1").returncode, 0)
        forces = place / "2.1" / "forces.cu"
        forces.write_text("mine")
        self.expect_refusal(called("tools.exercises.exercises", place), "already exists")
        self.assertEqual(forces.read_text(), "mine")
        self.assertFalse((place / "1.1").exists())
        self.assertEqual(called("tools.exercises.exercises", place, "p1").returncode, 0)
        self.assertEqual([path.name for path in (place / "p1").iterdir()], ["map.cu"])
