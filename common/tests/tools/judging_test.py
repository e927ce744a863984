"""Tests of what a submission's process can do to its judge and to the machine. The two are shell scripts here."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT
from common.grader.sandbox import judging
from common.grader.sandbox.compiler_view import compiler_paths, headers
from common.grader.sandbox.judging import SubmissionProcess, run_judge
from common.grader.sandbox.limited_run import run_limited
from common.grader.sandbox.sandbox import NoSandbox, Sandbox
from common.tests.tools.needs import main, needs
from common.tools import packages

ASKS = "in=${NBODY_SUBMISSION%,*} out=${NBODY_SUBMISSION#*,}; "


class Judgings(unittest.TestCase):
    def judged(self, submission, judge="head -c 1 <&$in", seconds=20):
        """submission: a shell's words, with $1 to read from and $2 to write to."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "submission"
            program.write_text("#!/bin/bash\n" + submission + "\n")
            program.chmod(0o755)
            process = SubmissionProcess(Sandbox("none"), program, [], [])
            return run_judge(["bash", "-c", ASKS + judge], process, seconds)

    def test_bytes_go_there_and_come_back(self):
        ended = self.judged("echo words; cat <&$1 >&$2", "echo asked >&$out; head -n 1 <&$in")
        self.assertEqual((ended.judge.out, ended.judge.status), ("asked\n", 0))
        self.assertEqual((ended.submission.error, ended.stopped), ("words\n", None))

    def test_one_that_goes_is_seen_to_have_gone(self):
        ended = self.judged("exit 3", "cat <&$in; echo gone")
        self.assertEqual((ended.judge.out, ended.submission.status), ("gone\n", 3))

    def test_one_that_never_answers_or_bit_by_bit(self):
        for words in ("sleep 60", "while sleep 0.1; do printf x >&$2; done", "kill -STOP $$"):
            ended = self.judged(words, "head -c 1000 <&$in", seconds=1)
            self.assertEqual((ended.stopped, ended.judge.seconds < 4), ("time", True), words)

    def test_many_processes(self):
        ended = self.judged("for k in $(seq 50); do sleep 60 & done; wait")
        self.assertIn("more than 32 processes", ended.stopped)

    def test_memory_of_all_processes_together(self):
        take = "x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 60"
        with mock.patch.object(judging, "MEMORY", 100 << 20):
            ended = self.judged(f"for k in 1 2 3 4 5; do ({take}) & done; wait")
        self.assertIn("of memory", ended.stopped)

    @needs("pgrep")
    def test_what_it_leaves_running_ends_with_it(self):
        marker = f"8642{os.getpid()}"
        self.judged(f"sleep {marker} & cat <&$1", "true")
        left = subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, text=True).stdout
        self.assertEqual(left, "")


class Compiling(unittest.TestCase):
    def test_no_folder_with_solutions_is_in_view(self):
        self.assertEqual(headers(ROOT / "02_tiled"), [])
        names = {path.name for path in headers(ROOT / "common")}
        self.assertIn("cuda", names)
        self.assertFalse(names & {"tests", "tools"})

    def test_what_a_command_names_is(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.o").touch()
            (Path(folder) / "include").mkdir()
            paths = compiler_paths(["c++", "-Iinclude", "-o", "made", "a.o", "-isystem", "none"], folder)
            self.assertEqual(set(paths), {Path(folder) / "a.o", (Path(folder) / "include").resolve()})


def sandbox():
    if missing := packages.without_program("bwrap"):
        raise unittest.SkipTest(f"{missing[0]} missing")
    try:
        return Sandbox.chosen(trust=False, user=None)
    except NoSandbox as error:
        raise unittest.SkipTest(str(error)) from None


class Bubblewrap(unittest.TestCase):
    def setUp(self):
        self.sandbox = sandbox()

    def says(self, words, **inside):
        return run_limited(["sh", "-c", words], 20, sandbox=self.sandbox, **inside)

    def test_it_sees_its_own_files_and_nothing_of_the_suite_or_the_host(self):
        with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
            (Path(folder) / "mine").write_text("mine")
            self.assertEqual(self.says(f"cat {folder}/mine", readable=[folder]).out, "mine")
            self.assertNotEqual(self.says(f"cat {folder}/mine").status, 0)
        self.assertEqual(self.says(f"ls -A {ROOT} {Path.home()} /etc/passwd /run /var /sys 2>/dev/null; ls /home").out
                         .replace(f"{ROOT}:", "").strip(), "")
        with mock.patch.dict(os.environ, {"SECRET": "here"}):
            self.assertNotIn("here", self.says("env").out)

    def test_it_writes_nowhere_but_in_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            for place in (folder, ROOT, "/", "/dev", "/dev/shm", "/usr", "/proc"):
                self.assertNotEqual(self.says(f"echo x > {place}/x", readable=[folder]).status, 0, place)
            self.assertEqual(self.says("echo x > /tmp/x && cat /tmp/x").out, "x\n")
            self.assertEqual(list(Path(folder).iterdir()), [])
        # 200 files of the size that one may have are more than the folder holds.
        full = self.says("for k in $(seq 200); do head -c 4000000 /dev/zero > /tmp/$k || exit 9; done")
        self.assertEqual(full.status, 9)

    def test_no_network_no_other_processes_no_rights(self):
        self.assertEqual(self.says("cat /proc/net/dev | grep -c :").out, "1\n")  # the loopback alone
        self.assertLess(len(self.says("ls -d /proc/[0-9]*").out.split()), 6)
        self.assertNotEqual(self.says("kill -9 -1; kill -9 1; mount -t tmpfs x /tmp").status, 0)
        self.assertNotEqual(self.says("unshare -U true").status, 0)

    def test_a_signal_is_told_as_one(self):
        self.assertEqual(self.says("kill -SEGV $$").status, -11)


if __name__ == "__main__":
    main()
