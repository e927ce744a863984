"""Tests of grading a class, with a made-up grader in the place of grade.py: its rows, what is graded again, how it ends, and bad
input."""

import collections
import csv
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from common.base.command_line import script
from common.grader.class_results import file_name
from common.tests.tools.case import HANG, InFolder, wait_until

GRADER = Path(__file__).resolve().with_name("made_up_grader.py")
ODD = ["two\nlines", "=1+1", "-dash", "Zo\u00eb", "O'Brien, \"Bob\"", "a%2Fb", "a%2fb", "n" * 250, "class", b"\xff".decode(
    errors="surrogateescape"), "*", "\u00fc" * 120, "\u00fc" * 119 + "\u00e4"]


class ClassTest(InFolder):
    def setUp(self):
        super().setUp()
        self.submissions, self.table = self.folder / "in", self.folder / "grades.csv"
        self.log = self.write("log")
        self.submissions.mkdir()

    def submission(self, name, text):
        self.write(self.submissions / name / "forces.cu", text)

    def begun(self, *options, task="02", grader=GRADER):
        command = [*script("grader.grade_all"), task, self.submissions, "--csv",
                   self.table, "--trust", "--grader", grader, *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "NBODY_TEST_LOG": str(self.log)}, start_new_session=True)

    def graded(self, *options, **task):
        """(exit status, standard output, standard error)"""
        return self.end_of(self.begun(*options, **task))

    def refused(self, words, *options, **task):
        self.expect_refusal(self.graded(*options, **task), words)

    def end_of(self, process):
        out, error = process.communicate(timeout=HANG)
        return process.returncode, out, error

    def rows(self):
        with self.table.open(newline="") as stream:
            return {row["student"]: row for row in csv.DictReader(stream)}

    def starts(self):
        return collections.Counter(self.log.read_text().splitlines())

    def kept(self):
        return {path.name: path.read_bytes() for path in (self.folder / "grades").glob("[!.]*.json")}


class Outcomes(ClassTest):
    def test_each_submission_gets_a_row_whatever_becomes_of_its_grader(self):
        for name, text in {"a": "score 100", "b": "score 12.5", "c": "throw", "d": "refuse", "e": "kill", "f": "half",
                           "g": "other", "h": "silent", "=i": "score 0"}.items():
            self.submission(name, text)
        for name in ("other/deep/er", "two/1", "two/2", "one/up load"):
            self.submission(name, "score 70")
        for number in range(300):  # nobody is to read all their names
            self.submission(f"many/{number:0200}", "score 70")
        for name in ("empty", ".git", "__MACOSX"):
            (self.submissions / name).mkdir()
        (self.submissions / "link").symlink_to("a")
        (self.submissions / "loop").symlink_to("loop")
        (self.submissions / "zip.zip").touch()
        status, out, _ = self.graded()
        self.assertEqual(status, 1)
        self.assertIn("not a submission, because it is not a folder: zip.zip", out)
        rows = self.rows()
        self.assertEqual({name: (row["score"], row["status"]) for name, row in rows.items()}, {
            "'=i": ("0.0", "failed"), "a": ("100.0", "passed"), "b": ("12.5", "failed"), "one": ("70.0", "failed"),
            "other": ("70.0", "failed"), **dict.fromkeys("cdefgh", ("", "not graded")),
            **dict.fromkeys(("empty", "link", "loop", "many", "two"), ("0", "no submission"))})
        self.assertLess(len(rows["many"]["message"]), 2000)
        self.assertIn("in 300 folders: 000", rows["many"]["message"])
        for name, message in (("c", "RuntimeError: what now"), ("d", "no compiler"), ("e", "by a signal: killed (SIGKILL)"),
                              ("f", "without a result"), ("g", "without a result"), ("h", "without a result"),
                              ("two", "in 2 folders: 1, 2"), ("empty", "an empty folder")):
            self.assertIn(message, rows[name]["message"])
        self.assertEqual(list(rows), sorted(rows, key=lambda name: name.lstrip("'")))
        page = self.table.with_suffix(".html").read_text()
        self.assertIn("16 submissions; mean", page)
        self.assertIn("RuntimeError: what now", page)
        # Submissions that the grader failed at are tried again, and no others.
        self.log.write_text("")
        self.assertEqual(self.graded()[0], 1)
        self.assertEqual(self.starts(), collections.Counter("cdefgh"))

    def test_the_page_can_leave_out_names_and_shows_text_as_text(self):
        self.submission("<b>Ann", "score 40")
        self.submission("Bob", "score 70")
        self.graded()
        page = self.table.with_suffix(".html").read_text()
        self.assertIn("&lt;b&gt;Ann", page)
        self.assertNotIn("<b>Ann", page)
        self.graded("--without-names")
        page = self.table.with_suffix(".html").read_text()
        self.assertNotRegex(page, "Ann|Bob")
        self.assertIn("student 2", page)

    def test_odd_names(self):
        for number, name in enumerate(ODD):
            self.submission(name, f"score {number}")
        os.chdir(self.submissions)  # "-dash" is then a relative name
        self.addCleanup(os.chdir, "/")
        self.submissions = Path(".")
        status, _, error = self.graded()
        self.assertEqual((status, error), (0, ""))
        self.assertEqual(sorted(float(row["score"]) for row in self.rows().values()), list(map(float, range(len(ODD)))))
        self.assertEqual({json.loads(text)["student"] for text in self.kept().values()}, set(ODD))
        self.assertEqual(len({file_name(name) for name in ODD}), len(ODD))

    def test_a_failing_grader_takes_no_grade_away(self):
        self.submission("a", "score 80")
        self.graded()
        before = self.kept()
        broken = self.write("broken.py", "raise SystemExit(3)")
        self.assertEqual(self.graded("--again", grader=broken)[0], 1)
        self.assertEqual((self.rows()["a"]["score"], self.kept()), ("80.0", before))


class Again(ClassTest):
    def test_only_what_was_handed_in_anew_is_graded(self):
        for name in "abc":
            self.submission(name, "score 10")
        self.graded()
        self.submission("b", "score 20")
        (self.submissions / "a" / "mine.h").touch()
        (self.submissions / "a" / "picture.png").touch()
        self.submission("d", "score 40")
        self.assertIn("4 submissions, 1 are graded already: 3 to grade", self.graded()[1])
        self.assertEqual(self.starts(), {"a": 2, "b": 2, "c": 1, "d": 1})
        self.assertEqual([row["score"] for row in self.rows().values()], ["10.0", "20.0", "10.0", "40.0"])
        self.graded("--seed", "3")
        self.graded("--seed", "3")
        self.graded("--again", "--jobs", "3")
        self.assertEqual(self.starts(), {"a": 4, "b": 4, "c": 3, "d": 3})

    def test_results_without_a_speed_are_graded_again_where_it_is_measured(self):
        self.submission("a", "score 10")
        for options in ([], [], ["--gpu-build", "x"], ["--gpu-build", "x"], []):
            self.graded(*options)
        self.assertEqual(self.starts(), {"a": 2})

    def test_the_row_of_a_folder_that_is_gone_stays(self):
        self.submission("a", "score 10")
        self.submission("b", "score 20")
        self.graded()
        shutil.rmtree(self.submissions / "a")
        self.assertIn("1 from earlier calls, whose folders no longer exist", self.graded()[1])
        self.assertEqual(self.rows()["a"]["score"], "10.0")

    def test_a_kill_loses_nothing_and_nothing_is_graded_twice(self):
        for number in range(12):
            self.submission(f"s{number:02}", f"sleep {0.05 if number % 3 else 0.4}")
        process = self.begun("--jobs", "2")
        wait_until(lambda: len(self.kept()) >= 5)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        before = self.kept()
        self.assertFalse(self.table.exists())
        (self.folder / "grades" / "s00.json").write_text('{"student": "s00"')  # as a failing disk may leave it
        self.assertEqual(self.graded()[0], 0)
        starts = self.starts()
        self.assertEqual(len(self.rows()), 12)
        after = self.kept()
        for name, text in before.items():
            if name != "s00.json":
                self.assertEqual((after[name], starts[name[:-len(".json")]]), (text, 1))


class Ends(ClassTest):
    def test_ctrl_c_keeps_the_results_and_ends_the_graders(self):
        self.submission("a", "score 10")
        for name in "bcd":
            self.submission(name, "sleep 100")
        process = self.begun("--jobs", "2")
        wait_until(lambda: self.starts().keys() >= set("abc"))
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
        wait_until(lambda: self.starts()["a"])
        time.sleep(0.2)
        process.kill()
        process.communicate()
        wait_until(lambda: self.starts()["a tidied"])

    def test_a_second_call_is_refused(self):
        self.submission("a", "sleep 100")
        process = self.begun()
        wait_until(lambda: self.starts()["a"])
        self.refused("another ./run grade --class is writing")
        process.terminate()
        self.assertEqual(self.end_of(process)[0], 130)


class BadInput(ClassTest):
    def test_what_is_not_ours_is_not_overwritten(self):
        self.submission("a", "score 10")
        self.table.write_text("mine")
        self.refused("exists, but there are no results next to it")
        self.assertEqual(self.table.read_text(), "mine")
        self.table.unlink()
        file = self.write("grades/x")
        self.refused("already exists")
        file.unlink()
        self.graded()
        self.refused("has grades of step 02_tiled", task="2.1")

    def test_bad_input_gets_a_line(self):
        self.refused("has no folders")
        self.submission("a", "score 10")
        (self.folder / "folder.csv").mkdir()
        for options in (["--jobs", "0"], ["--seed", "x"], ["--csv", self.folder / "none" / "x.csv"], ["--csv", self.folder / "folder.csv"]):
            self.refused("", *options)
        self.refused("no step or exercise '99'", task="99")
        self.submissions = self.folder / "none"
        self.refused("no folder")
        self.assertFalse((self.folder / "grades").exists())
