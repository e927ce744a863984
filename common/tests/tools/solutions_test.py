"""Tests that no page shows what an exercise asks for before it asks, nor outside of a fold."""

import re
import unittest

from common.grader.exercises.files import exercises
from common.tools.docs import solutions, tables
from common.tools.docs.results import Results
from common.tools.docs.solutions import Asked, problems_of

TILED = '{{quote 02_tiled/forces.cu forcesKernel: "for (int k"}}'
ASKED = {number: f'\\ref exercise_{number.replace(".", "_")} "{number}"' for number in ("2.2", "2.4", "4.2")}
FOLD = ["<details><summary>a</summary>", "", TILED, "", "</details>"]


class ThePages(unittest.TestCase):
    def test_no_solution_is_shown(self):
        self.assertEqual(solutions.problems(), [])

    def test_no_answer_is_in_the_table_of_instructions(self):
        results = Results()
        table = tables.instructions(results)
        for exercise in exercises():
            for question in exercise.questions:
                if not question.fastest:
                    self.assertNotIn(f">{question.best():.2f}<", table, question.name)


class MadeUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.asked = {e.number: Asked(e) for e in exercises() if e.number in ("0.3", "2.2", "2.4", "3.3", "4.2")}

    def found(self, number, *lines, name="02_tiled.md"):
        return [re.sub(f"^docs/pages/{name}:", "", problem)
                for problem in problems_of(name, "\n".join(lines), [self.asked[number]])]

    def test_a_solution_is_folded_and_comes_after_its_exercise(self):
        self.assertEqual(self.found("2.2", ASKED["2.2"], *FOLD), [])
        self.assertEqual(self.found("2.2", ASKED["2.2"], TILED),
                         ["2: shows a part of the solution of 2.2 outside of a fold"])
        self.assertEqual(self.found("2.2", *FOLD, ASKED["2.2"]),
                         ["3: shows a part of the solution of 2.2, which no link to 2.2 above has asked for"])
        self.assertEqual(len(self.found("2.2", *FOLD, ASKED["2.2"], TILED)), 2)

    def test_other_pages_need_the_fold_and_later_steps_need_nothing(self):
        self.assertEqual(self.found("2.2", *FOLD, name="using.md"), [])
        self.assertEqual(len(self.found("2.2", TILED, name="using.md")), 1)
        self.assertEqual(self.found("2.2", TILED, name="03_unrolled.md"), [])

    def test_diffs_bugs_and_sentences_count(self):
        self.assertEqual(len(self.found("2.2", "{{diff 02}}")), 1)
        self.assertEqual(self.found("2.2", ASKED["2.2"], "{{diff 02}}"), [])
        self.assertEqual(len(self.found("2.4", ASKED["2.4"], "{{mutant 02_missing_second_barrier}}")), 1)
        self.assertEqual(len(self.found("2.4", ASKED["2.4"], "{{transcript 02_missing_second_barrier}}")), 1)
        self.assertEqual(len(self.found("2.2", ASKED["2.2"], "Write `for (int k = 0;` there.")), 1)
        self.assertEqual(self.found("2.2", ASKED["2.2"], "`bodies` and `__syncthreads()`"), [])
        fenced = ["```", "CUDA_CHECK(cudaDeviceSynchronize());", "```"]
        self.assertEqual(len(self.found("0.3", *fenced, name="mutants.md")), 1)

    def test_recorded_answers_count(self):
        self.assertEqual(len(self.found("4.2", ASKED["4.2"], "{{figure threads.png: a}}", name="results.md")), 1)
        self.assertEqual(len(self.found("4.2", "x {{threads 1024 threads_per_body=8 gflops}}", name="results.md")), 1)
        self.assertEqual(self.found("4.2", "{{diagram grid: four threads}} {{ladder 04 gflops}}"), [])
        self.assertEqual(len(self.found("3.3", "{{ladder 03 16384 issue_slots}}", name="measuring.md")), 1)
        self.assertEqual(self.found("3.3", "{{instructions_03 issue_slots}}", name="measuring.md"), [])
