"""Several processes of step 08: the same bits whatever their number, and an end when one of them dies.

Arguments: mpirun, the program.
"""

import json
import os
import signal
import subprocess
import time
import unittest

from common.tests.tools.ranks_case import RanksTest, on_ranks, process_of_rank


class Ranks(RanksTest):
    def test_the_same_bits_from_any_number_by_ordered(self):
        found = set()
        for exchange, number in (("gather", 1), ("gather", 3), ("ring", 2), ("ring", 5)):
            name = f"{exchange}{number}.tipsy"
            ended = self.run_on(number, "--exchange", exchange, "--ordered", "--bodies", "1003", "--steps", "3",
                                "--output", name)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            found.add((self.folder / name).read_bytes())
        self.assertEqual(len(found), 1)

    def test_a_run_goes_on_from_its_snapshot_on_another_number_of_ranks(self):
        bodies = ("--ordered", "--no-check", "--dt", "0.01")
        for number, arguments in ((2, ("--bodies", "200", "--steps", "20", "--output", "whole.tipsy")),
                                  (3, ("--bodies", "200", "--steps", "10", "--output", "half.tipsy")),
                                  (5, ("--input", "half.tipsy", "--steps", "10", "--output", "rest.tipsy"))):
            ended = self.run_on(number, *bodies, *arguments)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("whole.tipsy", "rest.tipsy")))

    def test_the_report_says_how_bodies_travel_and_how_many_ranks_there_are(self):
        ended = self.run_on(3, "--bodies", "300", "--link", "--json", "report.json")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        document = json.loads((self.folder / "report.json").read_text())
        self.assertTrue(document["device"]["name"].startswith("3 x "), document["device"]["name"])
        run = document["runs"][0]
        self.assertIn("MPI", run["settings"]["bodies_travel_by"])
        self.assertEqual(run["facts"]["ranks"], 3)
        self.assertNotIn("parts_ms", run)  # the executor's times, of messages too, are no performance

    def test_bad_input_is_one_line_of_rank_0(self):
        for arguments, line in (
                (["--exchange", "pairs", "--ordered"], "--ordered: --exchange gather and ring have an order, not pairs"),
                (["--bodies", "0"], "--bodies: must be a whole number from 1 to 1073741824, not '0'"),
                (["--exchange", "star"], "--exchange: must be gather, ring or pairs, not 'star'")):
            self.expect_line(self.run_on(3, *arguments), line)

    def test_a_rank_that_dies_ends_the_run_and_is_named(self):
        process = subprocess.Popen(on_ranks(3, "--bodies", "2000", "--steps", "1000000", "--no-check"),
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            while (victim := process_of_rank(2, process.pid)) is None:
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            time.sleep(1)  # it is among its steps
            os.kill(victim, signal.SIGKILL)
            text, _ = process.communicate(timeout=30)
        finally:
            process.kill()
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(" ".join(text.split()), "process rank 2 .* signal 9")


if __name__ == "__main__":
    unittest.main()
