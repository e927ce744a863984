"""Tests of grading a class, with a made-up grader in the place of grade.py: its rows, and what is graded again."""

import collections
import json
import os
import shutil
import signal
from pathlib import Path

from common.tests.tools.grade_class_case import ClassTest

from common.grader.class_results import file_name

ODD = ["two\nlines", "=1+1", "-dash", "Zo\u00eb", "O'Brien, \"Bob\"", "a%2Fb", "a%2fb", "n" * 250, "class", b"\xff".decode(
    errors="surrogateescape"), "*", "\u00fc" * 120, "\u00fc" * 119 + "\u00e4"]


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
            **dict.fromkeys("cdefgh", ("", "not graded")),
            **dict.fromkeys(("empty", "link", "loop", "many", "other", "two"), ("0", "no submission"))})
        self.assertLess(len(rows["many"]["message"]), 2000)
        self.assertIn("in 300 folders: 000", rows["many"]["message"])
        for name, message in (("c", "RuntimeError: what now"), ("d", "no compiler"), ("e", "by a signal: killed (SIGKILL)"),
                              ("f", "without a result"), ("g", "without a result"), ("h", "without a result"),
                              ("other", "no forces.cu"), ("two", "in 2 folders: 1, 2"), ("empty", "an empty folder")):
            self.assertIn(message, rows[name]["message"])
        self.assertEqual(list(rows), sorted(rows, key=lambda name: name.lstrip("'")))
        # What the grader failed at is tried again, and nothing else.
        self.log.write_text("")
        self.assertEqual(self.graded()[0], 1)
        self.assertEqual(self.starts(), collections.Counter("cdefgh"))

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
        self.assertEqual(self.graded("--again", "--grader", broken)[0], 1)
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
        self.wait_for(lambda: len(self.kept()) >= 5)
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
