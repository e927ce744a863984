"""Tests of what a submission's process can do to its judge and to the machine. The two are shell scripts here."""

import os
import subprocess
from unittest import mock

from common.grader.sandbox import control_group, judging
from common.grader.sandbox.control_group import parent_group
from common.grader.sandbox.judging import SubmissionProcess, run_judge
from common.grader.sandbox.sandbox import Sandbox
from common.tests.tools.case import InFolder, needs

ASKS = "in=${NBODY_SUBMISSION%,*} out=${NBODY_SUBMISSION#*,}; "
TAKES_MEMORY = "for k in 1 2 3 4 5; do (x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 60) & done; wait"


class Judgings(InFolder):
    """Where the host lets the grader make no control group: limits are what it sees itself."""

    parent = None

    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch.object(control_group, "parent_group", lambda: self.parent))

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
        left = subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, text=True).stdout
        self.assertEqual(left, "")


class ControlGroups(Judgings):
    """The same and more with a folder in the place of the kernel's control group: what is written there, and read."""

    def setUp(self):
        super().setUp()
        for place, controllers in (("user", "cpu memory pids"), ("user/service", "cpu")):
            self.write(f"{place}/cgroup.subtree_control", f"{controllers}\n")
            self.write(f"{place}/cgroup.procs")
        own = self.write("own", "4:memory:/other\n0::/user/service\n")
        self.parent = parent_group(self.folder, own)
        self.assertEqual(self.parent, self.folder / "user")
        self.assertIsNone(parent_group(self.parent / "service", own))
        self.enterContext(mock.patch.object(control_group, "SECONDS_TO_DIE", 0))

    def group(self):
        (folder,) = self.parent.glob("nbody-*")
        return {path.name: path.read_text() for path in folder.iterdir()}

    def test_its_limits_are_written_and_what_is_left_is_ended(self):
        self.judged("cat <&$1", "true")
        self.assertEqual(self.group(), {"memory.max": str(4 << 30), "memory.swap.max": "0", "memory.oom.group": "1",
                                        "pids.max": "64", "cgroup.procs": "0\n", "cgroup.kill": "1"})

    def events(self, file, words, judge):
        """Why the submission was stopped, in whose group the kernel says this."""
        place = f"$(echo {self.parent}/nbody-*)"
        return self.judged(f"echo '{words}' > {place}/{file}; head -c 1 <&$1", judge).stopped

    def test_many_processes(self):
        self.assertIn("more than 64 processes", self.events("pids.events", "max 3", "head -c 1 <&$in"))

    def test_memory_of_all_processes_together(self):
        events = "low 0\nmax 7\noom 1\noom_kill 2"
        self.assertIn("of memory", self.events("memory.events", events, "sleep 0.3; exit 1"))
        self.assertIsNone(self.events("memory.events", events.replace("2", "0"), "exit 1"))

    def test_none_where_the_kernel_takes_no_process(self):
        with mock.patch.object(control_group.ControlGroup, "joined", lambda self, command: ["false"]):
            self.assertIsNone(control_group.control_group(1 << 30, 64))


if parent_group():  # where this host lets the grader make a group
    class KernelGroups(Judgings):
        """With a group of the kernel's own: it counts threads, and ends all processes itself where memory is used up."""

        parent = parent_group()

        def test_many_processes(self):
            ended = self.judged("for k in $(seq 100); do sleep 60 & done; wait")
            self.assertIn("more than 64 processes", ended.stopped)

        def test_memory_of_all_processes_together(self):
            with mock.patch.object(judging, "MEMORY", 100 << 20):
                ended = self.judged(TAKES_MEMORY, "head -c 1 <&$in; exit 99")
            self.assertIn("of memory", ended.stopped)
