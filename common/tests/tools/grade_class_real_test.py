"""A small class of step 02, built and graded, killed on the way and graded to its end. Argument: the build tree."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from common.base.command_line import ROOT, script
from common.grader.class_results import cell
from common.grader.exercises.mutant_corpus import corpus
from common.tests.tools.case import sandbox, wait_until
from common.tests.tools.grade_class_test import ClassTest
from common.tools.exercises.grade_corpus import KEPT

BUILD = sys.argv.pop()
REFERENCE = (ROOT / "02_tiled" / "forces.cu").read_text()
OTHERWISE = Path(__file__).with_name("submissions").joinpath("02_otherwise.cu").read_text()
CRASH = "  *reinterpret_cast<volatile int*>(8) = 1;\n  forcesKernel<<<"


def students():
    """{student: (forces.cu, the status and the score of its row)}. With --seed 1 a wrong kernel of the corpus has the kept score."""
    kept = {entry["name"]: entry["score"] for entry in json.loads(KEPT.read_text())["mutants"]}
    wrong = [mutant for mutant in corpus() if mutant.step == "02_tiled" and not mutant.gap][:2]
    return {
        "right": (REFERENCE, "passed", 100), "two\nlines": (OTHERWISE, "passed", 100),
        "=1+1": (REFERENCE.replace("= {0, 0, 0};", "= {0, 0, 0}"), "does not build", 0),
        "-dash": (REFERENCE.replace("  forcesKernel<<<", CRASH), "failed", 3),  # for code that compiles
        "Zo\u00eb": ("", "does not build", 0),
        **{mutant.name: (mutant.sources()["forces.cu"], "failed", kept[mutant.name]) for mutant in wrong}}


class SmallClass(ClassTest):
    def test_killed_and_resumed_it_has_the_grades_that_it_must_have(self):
        expected = students()
        for name, (text, _, _) in expected.items():
            self.submission(name, text)
        isolation = ["--trust"] if sandbox().mode == "none" else []  # these submissions are our own
        command = [*script("grader.grade_all"), "02", self.submissions, "--csv", self.table, "--seed", "1", "--build", BUILD,
                   *isolation]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        wait_until(lambda: len(self.kept()) >= 3 or process.poll() is not None, seconds=120)
        os.killpg(process.pid, signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        before = self.kept()
        self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 0)
        after = self.kept()
        self.assertEqual({name: after[name] for name in before}, before)
        rows = self.rows()
        self.assertEqual(rows.keys(), {cell(name) for name in expected})
        for name, (_, status, score) in expected.items():
            row = rows[cell(name)]
            self.assertEqual(row["status"], status, row)
            # The kept score of a mutant is from one compiler.
            self.assertAlmostEqual(float(row["score"]), score, delta=1, msg=row)
        self.assertTrue(all("forces" in json.loads(text)["report"] for text in before.values()))
