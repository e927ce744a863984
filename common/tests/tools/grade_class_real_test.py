"""A small class of step 02, built and graded, killed on the way and graded to its end. Argument: the build tree."""

import json
import os
import signal
import subprocess
import sys

from common.base.command_line import script
from common.grader.class_results import cell
from common.tests.tools import make_class
from common.tests.tools.case import sandbox
from common.tests.tools.grade_class_case import ClassTest

BUILD = sys.argv.pop()


class SmallClass(ClassTest):
    def test_killed_and_resumed_it_has_the_grades_that_it_must_have(self):
        expected = make_class.write(self.folder, 7)
        isolation = ["--trust"] if sandbox().mode == "none" else []  # these submissions are our own
        command = [*script("grader.grade_all"), "02", self.folder / "submissions", "--csv", self.table,
                   "--seed", "1", "--build", BUILD, *isolation]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        self.wait_for(lambda: len(self.kept()) >= 3 or process.poll() is not None, seconds=120)
        os.killpg(process.pid, signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        before = self.kept()
        self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 0)
        after = self.kept()
        self.assertEqual({name: after[name] for name in before}, before)
        rows = self.rows()
        self.assertEqual(rows.keys(), {cell(name) for name in expected})
        for name, outcome in expected.items():
            row = rows[cell(name)]
            self.assertEqual(row["status"], outcome["status"], row)
            # What is kept of a mutant is of one compiler.
            self.assertAlmostEqual(float(row["score"]), outcome["score"], delta=1, msg=row)
        self.assertEqual({row["score"] for row in rows.values() if row["status"] == "passed"}, {"100"})
        self.assertEqual(len([*(self.folder / "grades").glob("[!.]*")]), len(expected))
        self.assertTrue(all("forces" in json.loads(text)["report"] for text in before.values()))
