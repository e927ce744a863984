"""Tests of a submission's speed beside the reference's: its points, and what no device can do. grade_test runs them."""

import unittest

from common.grader import speed as grade_speed
from common.grader.sandbox.judging import SubmissionProcess
from common.grader.sandbox.sandbox import Sandbox
from common.tests.tools.case import InFolder


class Speed(unittest.TestCase):
    device = {"name": "GPU", "fma_tflops": 60.0}

    def document(self, *times, passed=True):
        runs = [{"seed": n, "force_ms": ms, "passed": passed} for n, ms in enumerate(times)]
        return {"device": self.device, "runs": runs}

    def judged(self, student, step="02_tiled"):
        return grade_speed.judged(step, 65536, self.document(2.0, 2.1, 1.9), student, self.document(2.0, 2.2, 2.0))

    def test_points(self):
        self.assertEqual([grade_speed.points(r) for r in (0.5, 1.2, 12**0.5, 10, 50)], [100, 100, 50, 0, 0])

    def test_as_fast_as_the_reference(self):
        self.assertEqual(self.judged(self.document(2.2, 2.3, 2.4))["score"], 100)
        self.assertEqual(self.judged(self.document(20.0, 21.0, 22.0))["score"], 0)

    def test_wrong_forces_earn_nothing(self):
        speed = self.judged(self.document(2.0, passed=False))
        self.assertEqual(speed["score"], 0)
        self.assertIn("wrong", speed["text"])

    def test_faster_than_the_device_can_be_is_refused(self):
        # 65,536^2 interactions at 60 TFLOP/s / 2 / 7.5 slots: 1.07 ms.
        self.assertEqual(self.judged(self.document(1.1))["score"], 100)
        self.assertEqual(self.judged(self.document(1.0))["score"], 0)
        self.assertEqual(self.judged(self.document(2.0, 1.0, 2.0))["score"], 0)
        self.assertEqual(self.judged(self.document(0.0))["score"], 0)
        self.assertEqual(self.judged(self.document(1.0), "06_tree_walk")["score"], 100)


class TimedPrograms(InFolder):
    def timed(self, body):
        """What comes of a judge whose last argument is --json=FILE."""
        program = self.program("program", "#!/bin/sh\nfor word; do json=${word#--json=}; done\n" + body + "\n")
        return grade_speed.timed(program, SubmissionProcess(Sandbox("none"), "cat", [], []), 100, 1)

    def test_its_document_or_why_there_is_none(self):
        document, why = self.timed("""echo '{"runs": [{"seed": 1, "force_ms": 2.5, "passed": true}]}' > "$json\"""")
        self.assertEqual((document["runs"][0]["force_ms"], why), (2.5, None))
        self.assertIsNone(self.timed("echo no GPU >&2; exit 1")[0])
