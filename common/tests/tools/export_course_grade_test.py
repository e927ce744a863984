"""The copy of the suite for students grades a starter and a solution. It builds the suite again."""

import subprocess
from pathlib import Path

from common.grader.exercises.files import exercise
from common.grader.step_build import write_files
from common.tests.tools.export_course_test import Exported


class Graded(Exported):
    def test_a_starter_and_a_solution_are_graded_there(self):
        def run(*words, typed=None):
            return subprocess.run([self.place / "run", *words], cwd=self.place, capture_output=True, text=True, input=typed)

        self.assertEqual(run("exercises", "my", "1.2", "0.3").returncode, 0)
        self.assertEqual({path.name for path in (self.place / "my" / "1.2").iterdir()}, {"README.md", "forces.cu"})
        write_files(self.place / "done", exercise("1.2").solution())
        starter, solution = (run("grade", "1.2", folder, "--preset", "cpu", "--trust") for folder in ("my/1.2", "done"))
        self.assertEqual((starter.returncode, solution.returncode), (0, 0), starter.stderr + solution.stderr)
        self.assertNotIn("100 of 100", starter.stdout)
        self.assertIn("100 of 100", solution.stdout)
        learned = run("learn", "learned", typed="solution\nquit\n")
        self.assertIn("Exercise 1.1", learned.stdout)
        self.assertTrue((Path(self.place) / "learned" / "1.1" / "forces.cu").exists(), learned.stderr)
