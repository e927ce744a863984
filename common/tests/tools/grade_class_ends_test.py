"""Tests of grading a class, with a made-up grader in the place of grade.py: how it ends, and bad input."""

import fcntl
import signal
import time

from common.tests.tools.case import InFolder
from common.tests.tools.grade_class_case import ClassTest
from common.grader.speed import alone


class Ends(ClassTest):
    def test_ctrl_c_keeps_the_results_and_ends_the_graders(self):
        self.submission("a", "score 10")
        for name in "bcd":
            self.submission(name, "sleep 100")
        process = self.begun("--jobs", "2")
        self.wait_for(lambda: self.starts().keys() >= set("abc"))
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        status, out, _ = self.end_of(process)
        self.assertEqual((status, [*self.rows()]), (130, ["a"]))
        self.assertIn("Call the same command again to continue", out)
        self.assertIn("3 not yet graded", out)
        self.assertEqual(self.starts().keys(), {"a", "b", "c", "b tidied", "c tidied"})

    def test_graders_end_with_it_when_it_is_killed(self):
        self.submission("a", "sleep 100")
        process = self.begun()
        self.wait_for(lambda: self.starts()["a"])
        time.sleep(0.2)
        process.kill()
        process.communicate()
        self.wait_for(lambda: self.starts()["a tidied"])

    def test_a_second_call_is_refused(self):
        self.submission("a", "sleep 100")
        process = self.begun()
        self.wait_for(lambda: self.starts()["a"])
        self.assertIn("another ./run grade-all is writing", self.refused())
        process.terminate()
        self.assertEqual(self.end_of(process)[0], 130)


class BadInput(ClassTest):
    def test_what_is_not_ours_is_not_overwritten(self):
        self.submission("a", "score 10")
        self.table.write_text("mine")
        self.assertIn("exists, but there are no results next to it", self.refused())
        self.assertEqual(self.table.read_text(), "mine")
        self.table.unlink()
        file = self.write("grades/x")
        self.assertIn("already exists", self.refused())
        file.unlink()
        self.graded()
        self.assertIn("has grades of step 02_tiled", self.refused(task="2.1"))

    def test_bad_input_gets_a_line(self):
        self.assertIn("has no folders", self.refused())
        self.submission("a", "score 10")
        (self.folder / "folder.csv").mkdir()
        for options in (["--jobs", "0"], ["--jobs", "x"], ["--seed", "x"], ["--csv", self.folder / "none" / "x.csv"],
                        ["--csv", self.folder / "folder.csv"], ["--csv", self.folder / "grades"], ["--what"]):
            self.refused(*options)
        self.assertIn("no step or exercise '09'", self.refused(task="09"))
        self.submissions = self.folder / "none"
        self.assertIn("no folder", self.refused())
        self.assertFalse((self.folder / "grades").exists())


class SpeedAlone(InFolder):
    def test_one_at_a_time(self):
        with self.write("speed.lock").open() as other:
            with alone(self.folder):
                self.assertRaises(BlockingIOError, fcntl.flock, other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
