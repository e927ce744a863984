"""Tests of the sweep `tree`: its arithmetic and figures on made-up runs, and where step 06 is built a few real ones."""

import json
import os
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.tests.tools.case import SweepTest, call, needs_matplotlib
from common.tools.sweeps import tree as tree_sweep
from common.tools.sweeps import tree_numbers, tree_summary
from common.tools.sweeps.runs import Measurement

SIZES = (10**4, 10**6)
THETAS = (0.4, 0.5, 0.8)
FACTS = {"groups": 2, "opened_a_group": 3, "nodes_a_group": 4, "leaves_a_group": 2, "nodes_a_body": 10,
         "sources_a_body": 100}


def run_of(bodies, walk="lists", theta=0.5, leaf=64):
    """Errors grow as theta^4, the GPU's part takes 1 ms for 10,000 bodies, the host's as much."""
    median = 1e-3 * theta**4
    ms = bodies / 1e4
    parts = {"build": ms, "upload": 0.5 * ms}
    parts.update({"fused_walk": ms} if walk == "fused" else
                 {name: ms / 4 for name in ("first_walk", "second_walk", "body_node", "body_leaf")})
    return {"step": "06_tree_walk", "scene": "galaxy", "bodies": bodies, "precision": "fp32", "softening": 0.05,
            "parameters": {"walk": walk, "theta": theta, "leaf": leaf, "group": 64, "multipole": "quadrupole"},
            "force_ms": {"median": 2.5 * ms}, "parts_ms": parts, "facts": FACTS, "passed": True,
            "error": {"sampled": 1000, "median": median, "p99": 3 * median, "max": 9 * median,
                      "exceeded_by": {"0.9": median / 2, "0.5": median, "0.01": 3 * median}}}


def direct_of(bodies, step, ms):
    return {"step": step, "scene": "galaxy", "bodies": bodies, "precision": "fp32", "parameters": {"block": 128},
            "force_ms": {"median": ms}, "passed": True}


def made_up():
    """The tree takes 2.5e-4 N ms, the faster direct sum 2.5e-9 N^2: they meet at N = 100,000."""
    runs = [run_of(bodies, walk, theta) for bodies in SIZES for walk in ("lists", "fused") for theta in THETAS]
    runs += [run_of(10**4, "lists", 0.5, 16), run_of(10**7), run_of(10**7, "fused")]
    for bodies in SIZES:
        runs += [direct_of(bodies, "04_made_up", 3e-9 * bodies**2), direct_of(bodies, "05_made_up", 2.5e-9 * bodies**2)]
    return {"suite": {"commit": "made-up"}, "device": {"name": "Made-up GPU", "kind": "gpu"}, "runs": runs,
            "sweep": {"name": "tree", "left_out": []}}


class Arithmetic(unittest.TestCase):
    def test_a_power_is_fitted(self):
        self.assertAlmostEqual(tree_numbers.exponent([(x, 7 * x**3.5) for x in (0.2, 0.3, 0.8)]), 3.5)
        self.assertIsNone(tree_numbers.exponent([(0.5, 1), (0.5, 2)]))
        self.assertIsNone(tree_numbers.exponent([(0.5, 1), (0.6, 0)]))

    def test_least_squares_weigh_every_point(self):
        self.assertAlmostEqual(tree_numbers.exponent([(1, 1), (10, 100), (100, 100)]), 1)

    def test_the_bytes_of_a_walk_are_those_of_its_nodes_and_cells(self):
        # Of each group: 3 nodes of 32 bytes, 4 + 2 + 3 - 1 cells of 16, a box of 32.
        self.assertEqual(tree_numbers.walk_bytes(FACTS), (2 * (96 + 128 + 32), 12))

    def test_rates_follow_from_the_parts(self):
        row = tree_numbers.row_of(run_of(4 * 10**4))  # each part of the GPU's takes 1 ms
        self.assertAlmostEqual(row["first_gb_s"], (512 + 2 * 16) * 1e-6)
        self.assertAlmostEqual(row["second_gb_s"], (512 + 2 * 32 + 12 * 4) * 1e-6)
        self.assertAlmostEqual(row["node_gflops"], 70 * 10 * 4e4 * 1e-6)
        self.assertAlmostEqual(row["leaf_gflops"], 38 * 100 * 4e4 * 1e-6)
        self.assertEqual((row["host_ms"], row["upload_ms"], row["gpu_ms"]), (4, 2, 4))
        fused = tree_numbers.row_of(run_of(10**4, "fused"))
        self.assertAlmostEqual(fused["fused_gflops"], (700 + 3800) * 1e4 * 1e-6)
        self.assertNotIn("first_gb_s", fused)

    def test_rates_of_step_07_are_those_of_its_walk_alone(self):
        run = {**run_of(10**4), "step": "07_device_tree", "parameters": {"theta": 0.5, "leaf": 24},
               "parts_ms": {"keys": 3.0, "walk": 1.0}}
        row = tree_numbers.row_of(run)
        self.assertAlmostEqual(row["device_gb_s"], (512 + 2 * 8 * 8) * 1e-6)  # 8 bytes more for each cell
        self.assertAlmostEqual(row["device_gflops"], (700 + 3800) * 1e4 * 1e-6)
        self.assertNotIn("host_ms", row)

    def test_a_run_without_times_has_errors_alone(self):
        run = {name: value for name, value in run_of(1000).items() if name not in ("parts_ms", "force_ms", "facts")}
        row = tree_numbers.row_of(run)
        self.assertEqual((row["total_ms"], row["error_median"]), (None, run["error"]["median"]))
        self.assertNotIn("gpu_ms", row)


class Crossover(unittest.TestCase):
    def test_it_is_between_points_by_their_logarithms(self):
        self.assertAlmostEqual(tree_numbers.crossover([(10**4, 0.1, True), (10**6, 10, True)]), 10**5)

    def test_there_is_none_where_one_is_always_faster(self):
        for ratios in ([], [(10, 2, True), (20, 3, True)], [(10, 0.2, True), (20, 0.3, True)],
                       [(10, 0.5, True), (20, 2, True), (40, 0.9, True)]):
            self.assertIsNone(tree_numbers.crossover(ratios))

    def test_the_faster_direct_sum_is_compared_and_carried_on_as_n_squared(self):
        table = tree_numbers.rows(made_up())
        direct = tree_numbers.direct_times(table)
        self.assertEqual([bodies for bodies, _ in direct], list(SIZES))
        tree = tree_numbers.chosen(table, "bodies", "total_ms", walk="lists", theta=0.5, leaf=64)
        ratios = tree_numbers.speed_ups(direct, tree)
        self.assertEqual(len(ratios), 3)
        for (bodies, ratio, measured), expected in zip(ratios, ((10**4, 0.1, True), (10**6, 10, True),
                                                                (10**7, 100, False))):
            self.assertEqual((bodies, measured), (expected[0], expected[2]))
            self.assertAlmostEqual(ratio, expected[1])

    def test_what_failed_its_check_is_compared_with_nothing(self):
        document = made_up()
        document["runs"][-1]["passed"] = False  # step 05 of a million bodies
        self.assertAlmostEqual(dict(tree_numbers.direct_times(tree_numbers.rows(document)))[10**6], 3000)

    def test_the_summary_names_exponents_and_crossovers(self):
        lines = tree_summary.summary(tree_numbers.rows(made_up()))
        self.assertIn("lists, N = 10,000: median error ~ theta^4.00, 99th percentile ~ theta^4.00", lines)
        self.assertIn("fused, theta 0.5, in all: faster than direct summation from N = 100,000 on; 0.1x at N = 10,000, "
                      "10x at N = 1,000,000, 100x at N = 10,000,000 (extrapolated)", lines)
        with_07 = made_up()
        with_07["runs"] += [{**direct_of(bodies, "07_device_tree", 2.5e-5 * bodies), "parameters": {"theta": 0.5}}
                            for bodies in SIZES]
        self.assertIn("step 07, theta 0.5, in all: faster than direct summation from N = 10,000 to 1,000,000; 1x at "
                      "N = 10,000, 100x at N = 1,000,000", tree_summary.summary(tree_numbers.rows(with_07)))
        without_times = made_up()
        for run in without_times["runs"]:
            run.pop("force_ms", None)
            run.pop("parts_ms", None)
        self.assertFalse([line for line in tree_summary.summary(tree_numbers.rows(without_times)) if "faster" in line])


class Points(unittest.TestCase):
    OPTIONS = SimpleNamespace(scene=None, repeats=None)

    def test_no_point_is_measured_twice_and_every_figure_has_its_own(self):
        found = [(program.name, *arguments) for program, arguments in
                 tree_sweep.points(Path("gpu"), tree_sweep.GPU_SIZES, self.OPTIONS)]
        self.assertEqual(len(set(found)), len(found))
        self.assertEqual(len(found), 3 * (7 + 3) * 2 + 4 * 2 + 5 * 2 + 5 + 3 * 7 + 4)

    def test_the_executor_measures_no_times(self):
        for program, arguments in tree_sweep.points(Path("cpu"), tree_sweep.EXECUTOR_SIZES, self.OPTIONS):
            self.assertEqual((program.name, arguments[-1]), ("06_tree_walk", "--no-measure"))

    @unittest.skipUnless("NBODY_BUILD" in os.environ, "step 06 is not built here")
    def test_a_few_points_leave_their_distributions(self):
        options = SimpleNamespace(build=Path(os.environ["NBODY_BUILD"]), scene="plummer", repeats="1")
        todo = tree_sweep.points(options.build, tree_sweep.Sizes((300, 900)), options)
        measurement, _, _ = call(Measurement, tree_sweep.TREE, todo)
        self.assertFalse(measurement.failed, measurement.log)
        document = measurement.document()
        of_step_07 = 2 * 7 if options.build.name == "gpu" else 0
        self.assertEqual((len(document["runs"]), document["sweep"]["left_out"]), (2 * (7 + 3) * 2 + of_step_07, []))
        for run in document["runs"]:
            errors = list(run["error"]["exceeded_by"].values())
            self.assertEqual(errors, sorted(errors))
            self.assertEqual(run["error"]["exceeded_by"]["0.5"], run["error"]["median"])


class Files(SweepTest):
    def figures(self, name, document):
        data = self.write(f"{name}/tree.json", json.dumps(document))
        self.expect_no_error("tree", "--from", data)
        return {file.name: file.read_bytes() for file in data.parent.glob("*.svg")}

    def test_bad_input_gets_one_line_and_status_2(self):
        self.expect_refusals(("tree", "--build", "cpu", "--bodies=1000"), ("tree", "--build", "cpu", "--record"),
                             ("tree", "--from", "missing.json"))

    @needs_matplotlib()
    def test_the_figures_are_drawn_the_same_twice_and_without_times_the_first_two(self):
        document = made_up()
        drawn = self.figures("once", document)
        self.assertEqual(sorted(drawn), [f"tree-figure-{k}.svg" for k in range(4, 9)])
        self.assertEqual(drawn, self.figures("twice", document))
        document["device"]["kind"] = "executor"
        self.assertEqual(sorted(self.figures("executor", document)), ["tree-figure-4.svg", "tree-figure-5.svg"])

    def test_recorded_tables_are_what_their_runs_give(self):
        for file in ROOT.glob("docs/results/*/tree.json"):
            document = json.loads(file.read_text())
            self.assertTrue(all(run["passed"] for run in document["runs"]), file)
            # To nine digits: Python's sum() rounds otherwise from 3.12 on.
            self.assertEqual(*(json.loads(json.dumps(table), parse_float=lambda text: f"{float(text):.9g}")
                               for table in (document["table"], tree_numbers.rows(document))), file)
