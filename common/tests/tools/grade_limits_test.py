"""Tests that nothing a submission says or hands in keeps the grader busy or makes a long report. Also tests which of its files
are used, and the folders that graders work in."""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from common.base.command_line import ROOT
from common.grader import grading
from common.grader.build import complaint, source_texts
from common.grader.checks import Test
from common.grader.complaints import Complaint
from common.grader.diagnosis import Diagnosis
from common.grader.exercises.answers import Question, read_answers
from common.grader.grading import answers_text, run_tests
from common.grader.reports.report import LONGEST_RESULT, bounded, diagnosis_of
from common.grader.runs import Budget, Stopped
from common.grader.sandbox.limited_run import run_limited
from common.grader.tests import answer_tests
from common.grader.whole_program import PRINTED
from common.grader.work_folder import remove_abandoned, work_folder
from common.tests.tools.case import InFolder

MEGABYTES = 3 << 20
# Processor time of what takes less than one second here: a pattern that is not linear takes hours.
LINEAR_SECONDS = 60
# Worst texts for a pattern: beginnings of what it looks for, without its end.
WORST = ("a", "(", "a.b/c:", "a:1:1: ", "from a", "from ", "undefined reference to `", "x(1): ", "  indented\n", "executor: (",
         "check failed: ", "at line 1 of ", "\u2028", "\r", " ", "a/b: fatal error", "😀", "\x00", "1:1:1:1:", "  a(b:1\n")


class Texts(InFolder):
    def ended(self, text):
        """A process that says this, again and again, and fails."""
        code = f"import sys; sys.stderr.buffer.write((ascii({text!r})[1:-1].encode().decode('unicode_escape') * {MEGABYTES // len(text)})"
        code += ".encode('utf-8', 'surrogatepass')); sys.exit(1)"
        return run_limited([sys.executable, "-c", code], 20)

    def test_megabytes_of_the_worst_are_read_at_once(self):
        self.write("forces.cu")
        for beginning in ("", "executor: ", "executor: race\n  at ", "02_tiled: check failed: "):
            for text in WORST:
                ended = self.ended(text)
                ended.error = beginning + ended.error
                started = time.process_time()
                found = Diagnosis("02_tiled", self.folder).of_its_end(ended)
                other = complaint(ended.error, self.folder, self.folder)
                for one in (found, other):
                    self.assertLess(len(json.dumps(diagnosis_of(one))), 120_000, text)
                self.assertLess(time.process_time() - started, LINEAR_SECONDS, (beginning, text))

    def test_what_a_program_prints_and_what_is_answered(self):
        for text in WORST:
            started = time.process_time()
            long = text * (MEGABYTES // len(text))
            PRINTED.findall(f"a = {long}")
            PRINTED.findall(long.replace(text, "a = "))
            read_answers((f"a = x{text}" * (grading.ANSWERS_BYTES // len(text)))[:grading.ANSWERS_BYTES])
            read_answers(f"a =x{text * (grading.ANSWERS_BYTES // len(text))}x")
            self.assertLess(time.process_time() - started, LINEAR_SECONDS, text)

    def test_answers_that_are_no_file_or_too_long(self):
        self.assertEqual(answers_text(self.folder), "")
        os.mkfifo(self.folder / "answers.txt")
        self.assertEqual(answers_text(self.folder), "")
        (self.folder / "answers.txt").unlink()
        (self.folder / "answers.txt").symlink_to(self.write("mine", "a = 1"))
        self.assertEqual(answers_text(self.folder), "")
        (self.folder / "answers.txt").unlink()
        self.write("answers.txt", "a = 1\n")
        self.assertEqual(read_answers(answers_text(self.folder)), {"a": ("1", 1)})
        with mock.patch.object(grading, "ANSWERS_BYTES", 4):
            self.assertEqual(answers_text(self.folder), "")

    def test_answers_as_editors_save_them(self):
        for encoding in ("utf-8-sig", "utf-16", "latin-1"):
            self.write("answers.txt").write_bytes("a = 1\r\n# \u00fc\r\nb = 13,25\r\n".encode(encoding))
            self.assertEqual(read_answers(answers_text(self.folder)), {"a": ("1", 1), "b": ("13,25", 3)}, encoding)
        question = Question("b", False, "", "", 0, {}, 1)
        (test,) = answer_tests([question], answers_text(self.folder))
        self.assertEqual(test.check(None).text, "'13,25' is not a number: write a point instead of the comma")


class Results(unittest.TestCase):
    def result(self, details):
        found = diagnosis_of(Complaint("x" * 10_000, details, "forces.cu", 1))
        tests = [{"name": str(n), "points": 0, "max_points": 9, "status": "failed", "diagnosis": dict(found)} for n in range(15)]
        return {"build": {"status": "passed"}, "tests": tests}

    def test_a_result_has_a_length(self):
        found = self.result(tuple("y" * 1000 for _ in range(100_000)))
        self.assertLess(len(json.dumps(bounded(found))), LONGEST_RESULT)
        self.assertEqual(len(found["tests"][0]["diagnosis"]["details"]), 21)
        self.assertIn("99,980 more lines", found["tests"][0]["diagnosis"]["details"][-1])
        wide = bounded(self.result(tuple("😀" * 1000 for _ in range(100))))
        self.assertLess(len(json.dumps(wide)), LONGEST_RESULT)


class Runs(unittest.TestCase):
    def test_one_budget_for_all(self):
        budget = Budget(3)
        budget.spend(2, None)
        self.assertEqual(budget.begin(), 1)
        budget.spend(1.5, None)
        self.assertRaises(Stopped, budget.begin)
        budget = Budget(3)
        budget.spend(0.1, "time")
        self.assertRaises(Stopped, budget.begin)

    def entries(self, *found):
        tests = [Test(f"t{n}", 10, lambda _, one=one: one, "t0" if n == 2 else None) for n, one in enumerate(found)]
        return [(entry["status"], entry["points"]) for entry in run_tests(tests, None)]

    def test_what_cannot_pass_is_not_run(self):
        wrong = Complaint("wrong")
        self.assertEqual(self.entries(wrong, None, None), [("failed", 0), ("passed", 10), ("not run", 0)])
        self.assertEqual(self.entries(None, wrong, None), [("passed", 10), ("failed", 0), ("passed", 10)])


class Pipes(unittest.TestCase):
    def test_nobody_who_reads_is_no_complaint(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); from common.base.command_line import run_command\n"
                "class Module:\n  __doc__ = 'd'\n  add_arguments = staticmethod(lambda parser: None)\n"
                "  run = staticmethod(lambda options: print('x' * 9 + chr(10)) or 0)\n"
                "sys.exit(run_command('grade', Module, []))")
        words = '(sleep 0.5; exec "$0" -c "$1" "$2") | true; echo ${PIPESTATUS[0]}'
        ended = subprocess.run(["bash", "-c", words, sys.executable, code, str(ROOT)], capture_output=True, text=True)
        self.assertEqual((ended.stdout.strip(), ended.stderr), ("141", ""))


class Sources(InFolder):
    def test_of_a_folder_that_the_step_has_plain_files_alone(self):
        folder = self.folder / "submission"
        taken = ("forces.cu", "walk/walk.cuh", "walk/mine.cuh", "walk/-o.cuh")
        for name in (*taken, "walk/unit.cu", "walk/a b.cuh", "walk/two\nlines.cuh", "walk/deep/er.cuh",
                     "other/fused_walk.cuh", "exercises/6.1.cuh"):
            self.write(folder / name, name)
        (folder / "walk" / "pull.cuh").symlink_to("/etc/passwd")
        os.mkfifo(folder / "walk" / "pipe.cuh")
        (folder / "paper").symlink_to(self.write("elsewhere/flush.cuh").parent)
        (folder / "host").touch()
        texts, ignored = source_texts(folder, "06_tree_walk")
        self.assertEqual(texts, {name: name for name in taken})
        self.assertEqual(set(ignored), {
            "exercises", "host", "paper", "walk/a b.cuh", "walk/deep", "walk/pipe.cuh", "walk/pull.cuh",
            "walk/two\nlines.cuh", "walk/unit.cu", "other"})


class WorkFolders(InFolder):
    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch.object(tempfile, "tempdir", str(self.folder)))

    def begun(self):
        """A process that is in its folder."""
        code = "from common.grader.work_folder import work_folder\nwith work_folder(): print(flush=True); input()"
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(self.folder)})
        process.stdout.readline()
        return process

    def end(self, process):
        process.communicate(b"\n")
        self.assertEqual(process.returncode, 0)

    def test_a_killed_graders_is_removed_and_no_other(self):
        first, second = self.begun(), self.begun()
        before = set(self.folder.iterdir())
        first.kill()
        first.communicate()
        (self.folder / "submission-link").symlink_to(ROOT)
        (self.folder / "submission-file").touch()
        (self.folder / "mine").mkdir()
        with mock.patch("os.geteuid", lambda: os.getuid() + 1):  # another user's grader
            remove_abandoned()
        self.assertLessEqual(before, set(self.folder.iterdir()))
        self.end(self.begun())
        left = before & set(self.folder.iterdir())
        self.assertEqual((len(before), len(left)), (2, 1))
        self.end(second)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"submission-link", "submission-file", "mine"})
        self.assertTrue((ROOT / "README.md").exists())

    def test_graders_that_begin_at_once_leave_each_others(self):
        def use(_):
            with work_folder() as folder:
                (folder / "file").touch()
                return (folder / "file").exists()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(use, range(400))))
        self.assertEqual(list(self.folder.iterdir()), [])
