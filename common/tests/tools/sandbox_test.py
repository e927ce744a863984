"""Tests of what a submission sees and reaches, of what is shown to its compiler, and of what its process can do to its judge and to
the machine. The last two are shell scripts here."""

import errno
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT
from common.grader.sandbox import judging, sandbox, system_calls
from common.grader.sandbox.compiler_view import compiler_paths, headers
from common.grader.sandbox.judging import SubmissionProcess, run_judge
from common.grader.sandbox.limited_run import run_limited
from common.grader.sandbox.sandbox import NoSandbox, Sandbox
from common.grader.sandbox.system_calls import PYTHON, REFUSED, call_filter
from common.tests.tools.case import InFolder, needs, wait_until
from common.tools import packages

ASKS = "in=${NBODY_SUBMISSION%,*} out=${NBODY_SUBMISSION#*,}; "
TAKES_MEMORY = "for k in 1 2 3 4 5; do (x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 60) & done; wait"


class Compiling(InFolder):
    def test_no_folder_with_solutions_is_in_view(self):
        self.assertEqual(headers(ROOT / "02_tiled"), [])
        names = {path.name for path in headers(ROOT / "common")}
        self.assertIn("cuda", names)
        self.assertFalse(names & {"grader", "tests", "tools", "exercises"})

    def test_a_step_that_another_uses_is_without_its_exercises(self):
        names = {path.name for path in headers(ROOT / "06_tree_walk")}
        self.assertIn("tree_options.hpp", names)
        self.assertNotIn("exercises", names)

    def test_of_a_build_tree_its_launcher_alone(self):
        with tempfile.TemporaryDirectory(dir=ROOT / "common") as folder:
            launcher = Path(folder) / "build" / "tree" / "launcher"
            launcher.parent.mkdir(parents=True)
            launcher.write_text("#!/bin/sh\n")
            launcher.chmod(0o755)
            self.assertEqual(compiler_paths([str(launcher), "c++"], self.folder)[0], launcher)

    def test_what_a_command_names_is(self):
        include = self.write("include/a.h").parent
        known = {self.write("a.o"), include.resolve()}
        paths = compiler_paths(["c++", "-Iinclude", "-o", "made", "a.o", "-isystem", "none"], self.folder)
        self.assertEqual(set(paths), known)


def bubblewrap():
    if missing := packages.without_program("bwrap"):
        raise unittest.SkipTest(f"{missing[0]} missing")
    try:
        return Sandbox.chosen(trust=False, user=None)
    except NoSandbox as error:
        raise unittest.SkipTest(str(error)) from None


class SystemCalls(unittest.TestCase):
    # Numbers are libseccomp's own. All arguments 0: what is not refused fails otherwise, or does no harm.
    CALLS = ("import ctypes, seccomp, sys\nlibc = ctypes.CDLL(None, use_errno=True)\nfor name in sys.argv[1:]:\n"
             "  ctypes.set_errno(0)\n  libc.syscall(seccomp.resolve_syscall(seccomp.Arch(), name), 0, 0, 0, 0, 0)\n"
             "  print(name, ctypes.get_errno())")

    def refused(self, names, mode):
        ended = run_limited([PYTHON, "-c", self.CALLS, *names], 20, sandbox=mode)
        found = dict(line.split() for line in ended.out.splitlines())
        self.assertEqual(found.keys(), set(names), ended.error)
        return {name for name, error in found.items() if int(error) == errno.EPERM}

    def test_those_that_are_refused(self):
        if call_filter() is None:
            self.skipTest("python3-seccomp missing")
        self.assertEqual(set(REFUSED), set(
            "shmget msgget semget mq_open memfd_create memfd_secret ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp add_key "
            "request_key keyctl bpf perf_event_open userfaultfd io_uring_setup".split()))
        self.assertEqual(self.refused([*REFUSED, "getpid", "pipe2"], bubblewrap()), set(REFUSED))
        # Without it they are refused neither, so that the answer is the filter's.
        plain = {"shmget", "msgget", "memfd_create", "process_vm_readv", "add_key"}
        self.assertEqual(self.refused(plain, Sandbox("none")), set())

    def test_without_libseccomp_the_result_says_so(self):
        for python in ("/none", "/bin/false"):
            with mock.patch.object(system_calls, "PYTHON", python):
                missing = system_calls.call_filter.__wrapped__()
            self.assertIsNone(missing)
        with mock.patch.object(sandbox, "call_filter", lambda: missing):
            self.assertIn("without a filter of system calls, which needs python3-seccomp", Sandbox().isolation)
            self.assertEqual(run_limited(["echo", "1"], 20, sandbox=bubblewrap()).out, "1\n")
        with mock.patch.object(sandbox, "call_filter", lambda: b"filter"):
            self.assertEqual([Sandbox(mode).isolation for mode in ("bubblewrap", "none")], ["bubblewrap", "none"])


class Bubblewrap(InFolder):
    def setUp(self):
        super().setUp()
        self.sandbox = bubblewrap()

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
        for place in (self.folder, ROOT, "/", "/dev", "/dev/shm", "/usr", "/proc"):
            self.assertNotEqual(self.says(f"echo x > {place}/x", readable=[self.folder]).status, 0, place)
        self.assertEqual(self.says("echo x > /tmp/x && cat /tmp/x").out, "x\n")
        self.assertEqual(list(self.folder.iterdir()), [])
        # 200 files of the size that one may have are more than the folder holds.
        full = self.says("for k in $(seq 200); do head -c 4000000 /dev/zero > /tmp/$k || exit 9; done")
        self.assertEqual(full.status, 9)

    def test_no_network_no_other_processes_no_rights(self):
        self.assertEqual(self.says("cat /proc/net/dev | grep -c :").out, "1\n")  # the loopback alone
        self.assertLess(len(self.says("ls -d /proc/[0-9]*").out.split()), 6)
        self.assertNotEqual(self.says("kill -9 -1; kill -9 1; mount -t tmpfs x /tmp").status, 0)
        self.assertNotEqual(self.says("unshare -U true").status, 0)

    @needs("c++")
    def test_the_first_process_is_closed_to_what_it_runs(self):
        first = self.folder / "first_process"
        subprocess.run(["c++", "-o", first, ROOT / "common" / "grader" / "sandbox" / "first_process.cpp"], check=True)
        with mock.patch.dict(os.environ, {"SECRET": "here"}):
            for inside in ({}, {"first": first}):
                self.assertNotIn("here", self.says("cat /proc/*/environ 2>/dev/null | tr '\\0' ' '", **inside).out)
        self.assertEqual(self.says("cat /proc/1/comm", first=first).out, "first_process\n")
        for file in ("mem", "environ", "maps", "fd"):
            self.assertNotEqual(self.says(f"exec 3<>/proc/1/{file} || cat /proc/1/{file}/", first=first).status, 0, file)
        self.assertEqual([self.says(words, first=first).status for words in ("exit 7", "kill -SEGV $$", "kill -9 1; true")],
                         [7, -11, 0])
        # Limits are of the first process, too, and of bubblewrap's own.
        self.assertIn("1000", self.says("grep 'file size' /proc/1/limits; ulimit -f", first=first, file_bytes=1000 * 512).out)

    def test_a_signal_is_told_as_one(self):
        self.assertEqual(self.says("kill -SEGV $$").status, -11)


class Judgings(InFolder):
    def judged(self, submission, judge="head -c 1 <&$in", seconds=20):
        """submission: a shell's words, with $1 to read from and $2 to write to."""
        program = self.program("submission", f"#!/bin/bash\n{submission}\n")
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
            self.assertEqual(ended.stopped, "time", words)

    def test_many_processes(self):
        ended = self.judged("for k in $(seq 50); do sleep 60 & done; wait")
        self.assertIn("more than 32 processes", ended.stopped)

    def test_memory_of_all_processes_together(self):
        with mock.patch.object(judging, "MEMORY", 100 << 20):
            ended = self.judged(TAKES_MEMORY)
        self.assertIn("of memory", ended.stopped)

    @needs("pgrep")
    def test_what_it_leaves_running_ends_with_it(self):
        marker = f"8642{os.getpid()}"
        self.judged(f"sleep {marker} & cat <&$1", "true")
        # A killed process takes a moment to go on busy cores.
        wait_until(lambda: not subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True).stdout)
