"""Tests of what a submission's process can do to its judge and to the machine. The two are shell scripts here."""

import os
import subprocess
import time
from unittest import mock

from common.grader.sandbox import judging
from common.grader.sandbox.judging import SubmissionProcess, run_judge
from common.grader.sandbox.sandbox import Sandbox
from common.tests.tools.case import InFolder, needs

ASKS = "in=${NBODY_SUBMISSION%,*} out=${NBODY_SUBMISSION#*,}; "
TAKES_MEMORY = "for k in 1 2 3 4 5; do (x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 60) & done; wait"


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
        for _ in range(100):  # a killed process takes a moment to go on busy cores
            left = subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, text=True).stdout
            if not left:
                return
            time.sleep(0.1)
        self.fail(f"still running: {left}")
