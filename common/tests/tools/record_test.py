"""./run record: which parts it measures, and that one which fails keeps nothing from the others."""

import unittest
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import run_command
from common.tests.tools.case import InFolder, call
from common.tools import packages, ranks
from common.tools.ladder import record, record_parts
from common.tools.sweeps import figures, files, sweep


class Parts(unittest.TestCase):
    def call(self, *words, fails=()):
        """The same of `./run record` on a GPU where these commands fail, and the commands."""
        begun = []

        def started(command):
            begun.append(" ".join(command))
            return 1 if begun[-1] in fails else 0

        with mock.patch.object(record_parts, "started", started), mock.patch.object(packages, "need"):
            return *call(run_command, "record", record, ["--preset", "gpu", *words]), begun

    def test_all_is_measured_in_order_ranks_where_there_are_two_gpus(self):
        for gpus in (1, 2):
            with mock.patch.object(ranks, "gpus", lambda gpus=gpus: gpus):
                status, _, error, begun = self.call()
            self.assertEqual((status, error), (0, ""))
            self.assertEqual(begun[0], "ladder")
            self.assertIn("instructions 05 --equal-masses ignored", begun)
            self.assertIn("instructions 04_tuned", begun)
            self.assertEqual("sweep ranks" in begun, gpus > 1)
            recorded_once = {"opening"}  # from runs of a day, which its page describes
            self.assertEqual({word.split()[1] for word in begun if word.startswith("sweep")},
                             set(sweep.ALL) - recorded_once - (set() if gpus > 1 else {"ranks"}))

    def test_after_a_failure_the_next_is_measured_and_the_failed_are_named(self):
        status, out, error, begun = self.call("--only", "maps", "instructions", "unroll",
                                              fails=["sweep maps", "instructions 02_tiled"])
        self.assertEqual((status, error), (1, "record: failed: maps, instructions\n"))
        self.assertEqual((begun[0], begun[-1]), ("sweep maps", "sweep unroll"))
        self.assertIn("instructions 03_unrolled", begun)  # after the one that failed
        lines = out.splitlines()[-3:]
        self.assertRegex(lines[0], r"^maps +\d+ s  FAILED: the earlier record stays$")
        self.assertRegex(lines[2], r"^unroll +\d+ s  recorded$")

    def test_a_command_is_a_process_that_records_on_the_gpu(self):
        with mock.patch.object(record_parts.subprocess, "run", return_value=SimpleNamespace(returncode=-11)) as ran:
            self.assertEqual(record_parts.started(["sweep", "unroll"]), -11)
        self.assertEqual(ran.call_args[0][0][-5:], ["sweep", "unroll", "--preset", "gpu", "--record"])

    def test_unknown_parts_get_one_line(self):
        status, out, error, begun = self.call("--only", "unrol")
        self.assertEqual((status, out, error.count("\n"), begun), (2, "", 1, []))
        self.assertIn("invalid choice: 'unrol'", error)


class Figures(unittest.TestCase):
    def test_what_fails_is_named_and_the_rest_is_drawn(self):
        begun = []

        def run(name, module, words):
            begun.append(words[0])
            return 1 if words[0] == "maps" else 0

        with mock.patch.object(figures, "run_command", run), mock.patch.object(figures.roofline, "has_profile", lambda: True), mock.patch.object(ranks, "gpus", lambda: 2):
            status, _, error = call(run_command, "figures", figures, ["--preset", "gpu"])
        self.assertEqual((status, error, begun), (1, "figures: failed: maps\n", figures.ON_GPU))

    def test_options_leave_sweeps_out(self):
        def chosen(on_gpu, **given):
            with mock.patch.object(ranks, "gpus", lambda: 1):
                return figures.chosen(on_gpu, SimpleNamespace(**{"scene": None, "repeats": None, **given}))

        self.assertEqual(chosen(False), ["unroll", "bodies", "block", "threads"])
        self.assertEqual(chosen(True, scene="cube"), ["unroll", "bodies", "block", "threads"])
        self.assertIn("issue", chosen(True))
        for there in (True, False):
            with mock.patch.object(figures.roofline, "has_profile", lambda there=there: there):
                self.assertEqual("roofline" in chosen(True), there)
        self.assertNotIn("energy", chosen(True, repeats="3"))


class Failed(InFolder):
    def test_a_sweep_whose_checks_failed_is_not_recorded(self):
        for passed in (True, False):
            made_up = files.Kind()
            made_up.name, made_up.title, made_up.plots = "made-up", "", None
            device = {"name": "Made-up GPU", "kind": "executor"}
            made_up.measured = lambda options: ({"device": device, "runs": []}, "", passed)
            with mock.patch.object(record, "keep", return_value=self.folder) as keep:
                status, out, _ = call(made_up.run, SimpleNamespace(build=self.folder, record=True))
            self.assertEqual((status, keep.called, "Not recorded" in out), (passed, passed, not passed))
