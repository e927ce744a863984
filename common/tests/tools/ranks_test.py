"""Several processes of step 08: the same bits whatever their number, and an end when one of them dies.

Arguments: mpirun, the program.
"""

import json
import os
import signal
import struct
import subprocess
import time
import unittest
from pathlib import Path

from common.tests.tools.ranks_case import PROGRAM, RanksTest, on_ranks, process_of_rank


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

    def test_a_run_by_tree_goes_on_on_another_number_of_ranks(self):
        exact = ("--exchange", "tree", "--opening", "distance", "--theta", "0.001", "--dt", "0.01")
        for number, arguments in ((2, ("--bodies", "200", "--steps", "20", "--output", "whole.tipsy")),
                                  (8, ("--bodies", "200", "--steps", "10", "--output", "half.tipsy")),
                                  (3, ("--input", "half.tipsy", "--steps", "10", "--output", "rest.tipsy"))):
            ended = self.run_on(number, *exact, *arguments)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        whole, rest = ((self.folder / name).read_bytes() for name in ("whole.tipsy", "rest.tipsy"))
        self.assertEqual(len(whole), len(rest))
        head = 32  # the file's; then floats
        for one, other in zip(struct.iter_unpack("<f", whole[head:]), struct.iter_unpack("<f", rest[head:])):
            # Rounding of 20 steps: the order of sums differs.
            self.assertLessEqual(abs(one[0] - other[0]), 1e-4)

    def test_trees_of_ranks_have_the_errors_of_one_tree(self):
        errors = {}
        for number in (1, 2, 5):
            ended = self.run_on(number, "--exchange", "tree", "--bodies", "4096", "--steps", "0", "--json", "report.json")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            run = json.loads((self.folder / "report.json").read_text())["runs"][0]
            errors[number] = run["error"]
            self.assertEqual(run["error"]["evaluation"], 2)
            self.assertEqual(run["parameters"]["theta"], 0.5)
        for number in (2, 5):
            # A percentile of 4,096 bodies moves by up to a tenth with the groups that they are in.
            self.assertLessEqual(errors[number]["median"], 1.1 * errors[1]["median"])
            self.assertLessEqual(errors[number]["p99"], 1.15 * errors[1]["p99"])

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
                (["--exchange", "star"], "--exchange: must be gather, ring, pairs or tree, not 'star'"),
                (["--exchange", "tree", "--ordered"], "--ordered: --exchange gather and ring have an order, not tree"),
                (["--theta", "0.3"], "--theta: only --exchange tree has a tree"),
                (["--exchange", "pairs", "--leaf", "16"], "--leaf: only --exchange tree has a tree"),
                (["--exchange", "tree", "--theta", "0"], "--theta: must be from 0.001 to 1.5, not '0'")):
            self.expect_line(self.run_on(3, *arguments), line)

    def test_what_rank_0_alone_finds_out_ends_the_run_on_all(self):
        """A recording that fails does not even end it: every rank goes on to the last step."""
        for number in (2, 3, 5, 8):
            ended = self.run_on(number, "--bodies", "300", "--steps", "4", "--trajectory", "/dev/full", "--output", "o.tipsy")
            self.expect_line(ended, "cannot write /dev/full: No space left on device")
            self.assertTrue((self.folder / "o.tipsy").exists())
            ended = self.run_on(number, "--bodies", "300", "--steps", "4", "--dt", "1e30", "--movie", "m.html")
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertRegex(ended.stderr, r"(?m)^08_many_gpus: the position or velocity of body \d+ became NaN or infinite$")
            ended = self.run_on(number, "--bodies", "300", "--steps", "0", "--output", "missing/o.tipsy")
            self.assertRegex(ended.stderr, "(?m)^08_many_gpus: cannot write missing/o.tipsy: ")
            self.assertEqual(ended.returncode, 2)

    def test_ranks_that_sum_by_the_loop_of_simd(self):
        program = Path(PROGRAM).with_name("simd_ranks")
        for number, exchange, bodies in ((2, "ring", 1003), (3, "gather", 1003), (5, "ring", 1003), (5, "ring", 3)):
            ended = self.run_on(number, "--exchange", exchange, "--bodies", str(bodies), "--steps", "5", "--no-measure",
                                "--json", "report.json", program=program)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            document = json.loads((self.folder / "report.json").read_text())
            self.assertEqual(document["device"]["kind"], "host")
            self.assertLess(document["runs"][0]["error"]["p99"], 1e-5)
        self.expect_line(self.run_on(2, "--exchange", "pairs", program=program),
                         "--exchange: must be gather or ring, not 'pairs'", "simd_ranks")

    def test_a_rank_that_all_bodies_have_left_counts_nothing(self):
        found = []
        for number in (1, 2):  # the second has one cell sent, and nothing to walk for
            ended = self.run_on(number, "--exchange", "tree", "--bodies", "3", "--leaf", "2", "--group", "2", "--theta", "0.3",
                                "--steps", "0", "--json", "report.json")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            facts = json.loads((self.folder / "report.json").read_text())["runs"][0]["facts"]
            found.append((facts["nodes_a_body"], facts["sources_a_body"]))
        self.assertEqual(facts["busiest_rank"], 2)
        self.assertEqual(*found)

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
