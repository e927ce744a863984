"""What tests of grading a class share: a class in a folder of its own, graded by made_up_grader.py."""

import collections
import csv
import os
import subprocess
import time
from pathlib import Path

from common.base.command_line import script
from common.tests.tools.case import InFolder

TESTS = Path(__file__).resolve().parent


class ClassTest(InFolder):
    def setUp(self):
        super().setUp()
        self.submissions, self.table = self.folder / "in", self.folder / "grades.csv"
        self.log = self.write("log")
        self.submissions.mkdir()

    def submission(self, name, text):
        self.write(self.submissions / name / "forces.cu", text)

    def begun(self, *options, task="02"):
        command = [*script("grader.grade_all"), task, self.submissions, "--csv",
                   self.table, "--trust", "--grader", TESTS / "made_up_grader.py", *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "NBODY_TEST_LOG": str(self.log)}, start_new_session=True)

    def graded(self, *options, **task):
        """(exit status, standard output, standard error)"""
        return self.end_of(self.begun(*options, **task))

    def refused(self, *options, **task):
        """The one line of a call that grades nothing."""
        status, out, error = self.graded(*options, **task)
        self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        return error

    def end_of(self, process):
        out, error = process.communicate(timeout=60)
        return process.returncode, out, error

    def rows(self):
        with self.table.open(newline="") as stream:
            return {row["student"]: row for row in csv.DictReader(stream)}

    def starts(self):
        return collections.Counter(self.log.read_text().splitlines())

    def kept(self):
        return {path.name: path.read_bytes() for path in (self.folder / "grades").glob("[!.]*.json")}

    def wait_for(self, condition, seconds=30):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
