"""Tests of whether a whole program's forces are its kernels' work, on what such programs print."""

import struct
import unittest
from pathlib import Path
from unittest import mock

from common.grader.own_code import check_texts, without_comments
from common.grader.own_work import ONE_THREAD, problem
from common.grader.sandbox.limited_run import Ended
from common.grader.whole_program import ProgramSubmission
from common.tests.tools.case import InFolder

NONCE, BODIES = 12345, 600
WRITTEN = "".join(f"{struct.unpack('I', struct.pack('f', k))[0]:08x}" for k in (1, 2, 3))


def printed(longest):
    """What a program of which the longest of all threads takes so much of a hundred prints."""
    accelerations = "a = 1 2 3\n" * BODIES
    return (f"{accelerations}{NONCE}: kernels read 999999 bytes\n"
            f"{NONCE}: the longest thread took {longest} of 100 ns\n{NONCE}: kernels wrote {WRITTEN}\n")


class Texts(unittest.TestCase):
    def test_long_texts_are_read_once(self):
        """What would take minutes, if each opening were followed to the end."""
        for opening in ('R"(', 'R"a(', "/*", '"\\', "'\\", '"', "//\n", "#"):
            check_texts({"forces.cu": opening * ((256 << 10) // len(opening))})

    def test_comments_and_strings(self):
        text = 'a /* "x" */ b "/* no */" R"d(")" /*)d" // c\n\'"\' d "e\n/* open'
        self.assertEqual(without_comments(text, lambda comment: "C", lambda string: "S"), "a C b S S C\nS d S\nC")


class OwnWork(unittest.TestCase):
    def test_work_is_to_be_shared_among_eight_threads_or_more(self):
        self.assertIsNone(problem(printed(12), NONCE, BODIES, [1.0, 2.0, 3.0]))
        self.assertIn("one thread does 13% of the work", problem(printed(13), NONCE, BODIES, [1.0, 2.0, 3.0]))
        self.assertIsNone(problem(printed(13), NONCE, 499, [1.0, 2.0, 3.0]))

    def test_what_is_printed_is_what_kernels_wrote(self):
        self.assertIn("no kernel wrote 2 of the 3 numbers", problem(printed(1), NONCE, BODIES, [1.0, 2.5, 3.5]))


class HeldUp(InFolder):
    def complaint(self, *longest):
        """Of a program whose runs, one after the other, have such a thread; and how many were made."""
        self.write("standalone.cu", "void forcesKernel() {}\n")
        submission = ProgramSubmission("01_naive", self.folder, Path("p"), Path("/a/b/judge"), None, 1, NONCE, "standalone.cu")
        runs = [(Ended(0, printed(each), "", 0.1), None) for each in longest]
        with mock.patch("common.grader.whole_program.run_alone", side_effect=runs) as ran, \
                mock.patch("common.grader.whole_program.SubmissionProcess"), \
                mock.patch.object(ProgramSubmission, "wrong", return_value=None):
            found, _ = submission.forces(BODIES)
            return found and found.text, ran.call_count

    def test_a_thread_counts_that_does_much_twice(self):
        self.assertEqual(self.complaint(2), (None, 1))
        self.assertEqual(self.complaint(14, 2), (None, 2))
        text, runs = self.complaint(100, 99)
        self.assertEqual((text.startswith(f"{ONE_THREAD}99%"), runs), (True, 2))
