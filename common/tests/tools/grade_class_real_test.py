"""A small class of step 02, built and graded, killed on the way and graded to its end. Argument: the build tree."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

from common.base.command_line import script
from common.tests.tools import make_class
from common.tests.tools.case import InFolder
from common.grader.reports.csv_rows import cell
from common.grader.sandbox.sandbox import NoSandbox, Sandbox

BUILD = sys.argv.pop()


def isolation():
    try:
        Sandbox.chosen(False, None)
        return []
    except NoSandbox:
        return ["--trust"]  # these submissions are our own


class SmallClass(InFolder):
    def test_killed_and_resumed_it_has_the_grades_that_it_must_have(self):
        expected = make_class.write(self.folder, 7)
        results = self.folder / "grades"
        command = [*script("grader.classes.grade_all"), "02", self.folder / "submissions", "--csv", self.folder / "grades.csv",
                   "--seed", "1", "--build", BUILD, *isolation()]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        while len(list(results.glob("[!.]*"))) < 3 and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        before = {path: path.read_bytes() for path in results.glob("[!.]*")}
        self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 0)
        for path, text in before.items():
            self.assertEqual(path.read_bytes(), text)
        with (self.folder / "grades.csv").open(newline="") as stream:
            rows = {row["student"]: row for row in csv.DictReader(stream)}
        self.assertEqual(rows.keys(), {cell(name) for name in expected})
        for name, outcome in expected.items():
            row = rows[cell(name)]
            self.assertEqual(row["status"], outcome["status"], row)
            # What is kept of a mutant is of one compiler.
            self.assertAlmostEqual(float(row["score"]), outcome["score"], delta=1, msg=row)
        self.assertEqual({row["score"] for row in rows.values() if row["status"] == "passed"}, {"100.0"})
        self.assertEqual(len([path for path in results.iterdir() if not path.name.startswith(".")]), len(expected))
        self.assertTrue(all("forces" in json.loads(path.read_text())["report"] for path in before))
