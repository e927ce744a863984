"""Tests of the sweeps: what each computes from its runs, and that each recorded figure and table is drawn again from its record. If
step 06 is built, a few points of it are run.
"""

import json
import os
import re
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.tests.tools.case import InFolder, call, made_up, needs_matplotlib, run_of
from common.tests.tools.ranks_tools_test import made_up_build
from common.tools import programs
from common.tools import ranks as tools_ranks
from common.tools.ladder import sass, store
from common.tools.sweeps import arithmetic, cases, measure, ranks, sweep, table, tree
from common.tools.sweeps.arithmetic import issue_rate, operands, reads
from common.tools.sweeps.table import SWEEPS

RECORDED = ROOT / "docs" / "results" / "h200"
# Refuses --unroll=4, fails its check at --unroll=8.
STEP_03 = """unroll = int(given["unroll"])
if unroll == 4:
    sys.exit(print("fake: too large", file=sys.stderr) or 2)
runs = [run_of("03_unrolled", given["bodies"], parameters={"unroll": unroll}, passed=unroll != 8)]
print("measured")
"""
# The part of a step's --help that a sweep reads.
TREE = """if "--help" in sys.argv:
    sys.exit(print('''  --theta VALUE      opening angle: from 0.001 to 1.5 (default: 0.5)
  --opening VALUE    what opens a cell: its distance, or more: near, far or neither (default: near)
                       near: its distance'''))
runs = [run_of(name, given["bodies"], parameters={"theta": 0.5}, seed=given.get("seed", 1))]
"""
# Writes the snapshot that is asked for; its energy drifts with the steps.
MERGER = """if "output" in given:
    Path(given["output"]).write_text("bodies")
runs = [run_of(name, 1200, scene=given.get("scene", "merger.bin"), time_step=float(given.get("dt", 1 / 16)), steps=int(given["steps"]),
               parameters={"theta": 0.5} if "multipole" in given else {}, input={"file": given.get("input"), "time": 45.0},
               momentum=1e-9, energy_drift=1e-7 * int(given["steps"]))]
"""
# Scales perfectly on up to four GPUs, except for 10 us per message; refuses one point.
SCALING = """if "--help" in sys.argv:
    sys.exit(print("  --exchange VALUE   how: gather, ring or pairs (default: ring)"))
number, bodies = int(os.environ["RANKS"]), int(given["bodies"])
if (number, bodies, given.get("exchange")) == (2, 16384, "pairs"):
    sys.exit(print("08_many_gpus: too few", file=sys.stderr) or 2)
ms = 1e-9 * bodies**2 / number + 0.01 * (number - 1)
runs = [run_of(name, bodies, force_ms={"median": ms}, step_ms={"median": ms + 0.01}, metrics={"ranks": number},
               parameters={"exchange": given["exchange"]} if "exchange" in given else {}, parts_ms={"rank_0_compute": ms})]
if number > 1:
    document["device"]["name"] = f"{number} x Made-up"
if "--link" in sys.argv:
    runs[0]["parts_ms"].update({f"message_of_{size}_bytes": 0.01 + 1e-6 * size / 400 for size in (16, 2**14, 2**24)})
"""
# Two interactions, each with five FP64 instructions for its square root and twelve others.
BODY = 2 * [*3 * ["DADD"], *3 * ["DFMA"], "MUFU.RSQ64H", *2 * ["DMUL"], *3 * ["DFMA"], *3 * ["DMUL"], *3 * ["DFMA"], "LDS.128"]
LISTING = "\n".join(["code for sm_90", "Function : _ZN5nbody12forcesKernelILi1EEEv"]
                    + [f"        /*{16 * k:04x}*/  {name} R0, R1 ;" for k, name in enumerate(BODY)]
                    + [f"        /*{16 * len(BODY):04x}*/  @P0 BRA 0x0 ;"])
METRICS = {"fadd": 3e9, "fmul": 3e9, "ffma": 6e9, "xu_instructions": 1e9 / 32, "shared_wavefronts": 1e7, "l2_bytes": 1.6e8,
           "dram_bytes": 0.0}
OF_GPU = SimpleNamespace(build=Path("gpu"), scene=None, repeats=None)


def recorded(name):
    return json.loads((RECORDED / f"{name}.json").read_text())


class SweepTest(InFolder):
    def call(self, *arguments):
        return call(run_command, "sweep", sweep, [str(argument) for argument in arguments])

    def measured(self, name, *words, build="gpu"):
        """Runs a sweep, and returns its JSON."""
        self.expect_success(self.call(name, "--build", self.folder / build, *words))
        return json.loads((self.folder / build / "sweeps" / f"{name}.json").read_text())

    def drawn(self, name, document):
        """Draws a sweep's document, and returns {name: text of the SVG}."""
        data = self.write(f"recorded/{name}.json", json.dumps(document))
        self.expect_success(self.call(name, "--from", data))
        return {file.stem: file.read_text() for file in data.parent.glob(f"{name}*.svg")}


class Measured(SweepTest):
    def test_bad_input_gets_one_line_and_status_2(self):
        text, unroll = self.write("text.json", "text"), RECORDED / "unroll.json"
        cpu, gpu, missing = (self.folder / name for name in ("cpu", "gpu", "missing.json"))
        for arguments in ((), ("unroll", "--build", cpu, "--record"), ("unroll", "--from", missing), ("unroll", "--from", text),
                          ("block", "--from", unroll), ("unroll", "--from", unroll, "--scene=cube"),
                          ("mixed", "--build", gpu, "--bodies=many"), ("energy", "--build", cpu, "--repeats=3"),
                          ("energy", "--build", cpu, "--bodies=65537"), ("unroll", "--build", gpu, "--bodies=7"),
                          *((name, "--build", cpu) for name in SWEEPS if SWEEPS[name].needs_gpu),
                          *((name, "--build", gpu, "--scene=cube") for name in SWEEPS if SWEEPS[name].scene)):
            status, _, error = self.call(*arguments)  # the heading may have been printed
            self.expect_refusal((status, "", error), "sweep: ")

    def test_a_refused_point_is_left_out_and_a_failed_one_kept(self):
        fake = self.reporter("fake", STEP_03)
        fake.write_text(f"{fake.read_text()}sys.exit(unroll == 8)\n")
        todo = [(fake, ["--bodies=1024", f"--unroll={unroll}"]) for unroll in (2, 4, 8)]
        points, out, _ = call(measure.Points, SWEEPS["unroll"], todo)
        document = points.document()
        self.assertEqual([run["passed"] for run in document["runs"]], [True, False])
        self.assertEqual([left["reason"] for left in document["sweep"]["left_out"]], ["fake: too large"])
        self.assertTrue(points.failed)
        self.assertIn("$ fake --bodies=1024 --unroll=2\nmeasured\n", points.log)
        self.assertRegex(out, r"03_unrolled +1,024 +8 +1,000 +1.0e-07 +3.0e-07 +FAILED\n")

    def test_a_sweep_whose_checks_failed_is_not_recorded(self):
        for passed in (True, False):
            runs = SimpleNamespace(log="", failed=not passed)
            made = measure.Sweep("made-up", "", "", None, measured=lambda *_: (made_up(kind="executor"), runs))
            with mock.patch.object(store, "keep", return_value=self.folder) as keep:
                status, out, _ = call(made.run, SimpleNamespace(build=self.folder, record=True))
            self.assertEqual((status, keep.called, "Not recorded" in out), (passed, passed, not passed))

    def test_merging_takes_the_median_ceiling(self):
        merged = programs.merged([made_up([run_of("03", 1, gflops=30000)], fma_tflops=c) for c in (50.0, 60.0, 90.0)])
        self.assertEqual(merged["device"]["fma_tflops"], 60)
        self.assertEqual([run["fma_share"] for run in merged["runs"]], [0.5] * 3)

    def test_every_rule_that_the_program_has_is_measured(self):
        for name in ("06_tree_walk/06_tree_walk", "07_device_tree/07_tuned"):
            program = self.reporter(name, TREE)
        with self.assertRaisesRegex(CommandFailed, "names no words for --walk"):
            programs.choices(program, "walk")
        found = [(step.name, *words) for step, words in SWEEPS["accuracy"].points(SimpleNamespace(build=self.folder, scene=None, repeats=None))]
        self.assertEqual(len(set(found)), (4 * len(table.THETAS) + len(table.TOLERANCES)) * len(table.SEEDS))
        self.assertEqual({word for words in found for word in words if word.startswith("--opening=")},
                         {"--opening=near", "--opening=far", "--opening=neither"})

    def test_no_point_is_measured_twice(self):
        for name in (*cases.CASES, "tree"):
            found = [str(point) for point in SWEEPS[name].points(OF_GPU)]
            self.assertEqual(len(set(found)), len(found), name)

    @unittest.skipUnless("NBODY_BUILD" in os.environ, "step 06 is not built here")
    def test_a_few_points_of_the_tree_leave_their_distributions(self):
        options = SimpleNamespace(build=Path(os.environ["NBODY_BUILD"]), scene="plummer", repeats="1")
        todo = tree.points(options, tree.Sizes((300,)))
        points, _, _ = call(measure.Points, SWEEPS["tree"], todo)
        self.assertFalse(points.failed, points.log)
        made = points.document()
        self.assertEqual((len(made["runs"]), made["sweep"]["left_out"]), (len(todo), []))
        for run in made["runs"]:
            errors = list(run["error"]["exceeded_by"].values())
            self.assertEqual(errors, sorted(errors))
            self.assertEqual(run["error"]["exceeded_by"]["0.5"], run["error"]["median"])

    def test_every_method_starts_from_the_same_merger_at_the_same_steps(self):
        for name in ("common/simd", "04_multithread_per_body/04_multithread_per_body", "06_tree_walk/06_tree_walk"):
            self.reporter(f"cpu/{name}", MERGER, kind="executor")
        document = self.measured("energy", "--bodies=1200", build="cpu")
        self.assertEqual(len({(run["method"], run["time_step"], run["steps"]) for run in document["runs"]}), 3 * 2 * 4)
        self.assertEqual({run["input"]["time"] for run in document["runs"]}, {45.0})
        self.assertNotIn("/tmp", (self.folder / "cpu" / "sweeps" / "energy.log").read_text())


def loop(*lines):
    return [(16 * k, *line.split(" ", 1)) for k, line in enumerate(lines)]


class Computed(InFolder):
    """What is computed from runs and machine code."""

    def test_registers_by_place_without_the_result(self):
        for name, words, found in (
                ("FFMA.FTZ", "R1, R2.reuse, -R3, |R4|", {0: (2, True), 1: (3, False), 2: (4, False)}),
                ("FADD.FTZ", "R1, R2, R3.reuse", {0: (2, False), 2: (3, True)}),  # adds where a multiply-add does
                ("STS", "[R7], R9", {0: (7, False), 1: (9, False)})):
            self.assertEqual(operands(name, words), found, words)
        self.assertEqual(reads(loop("FMUL R1, R2.reuse, R3", "FMUL R5, R2, R7")), [[1, 1], [0, 1]])

    def test_issue_rates_by_hand(self):
        for rate, *lines in (
            (1, "FFMA R1, R2, R2, R3"),
            (1 / 2, "FFMA R1, R2, R4, R3"),           # two of the even bank, each time
            (1 / 3, "FFMA R1, R2, R4, R6"),
            (2 / 3, "FFMA R1, R2, R4, R3", "FFMA R5, R2, R3, R7"),  # three of each bank for two
            (1, "FFMA R1, R2, R4, R3", "FADD R1, R5, 1"),  # the second read of the even bank is done meanwhile
            (1, "FFMA R1, R2.reuse, R4, R3", "FFMA R5, R2.reuse, R8, R7")):
            self.assertAlmostEqual(issue_rate(loop(*lines) * 50), rate, delta=0.02, msg=lines)

    def test_what_is_beyond_the_formula_is_the_root(self):
        self.assertEqual(arithmetic.root_instructions(sass.parse(LISTING)), 5)
        self.assertIsNone(arithmetic.root_instructions(sass.parse(LISTING.replace("MUFU.RSQ64H", "MUFU.RSQ"))))

    def test_a_point_of_the_roofline_and_its_lowest_roof(self):
        run = {"step": "03_unrolled", "bodies": 262144, "parameters": {}, "ncu_ms": 1.0, "metrics": METRICS}
        point = arithmetic.roofline_row(run)
        self.assertAlmostEqual(point["tflops"], 19)  # 3 + 3 + 12 + 1 billion in a millisecond
        self.assertAlmostEqual(point["flop_per_byte_l2"], 118.75)
        self.assertNotIn("flop_per_byte_dram", point)  # nothing was read: no roof
        ceilings, device = {"shared": 1000.0, "l2": 5000.0, "dram": 4000.0}, {"fma_tflops": 60.0}
        self.assertEqual(arithmetic.attainable(device, ceilings, {"flop_per_byte_shared": 10}), (10.0, "shared"))
        self.assertEqual(arithmetic.attainable(device, ceilings, {"flop_per_byte_shared": 100}), (60.0, "FMA"))
        with mock.patch.object(arithmetic, "ROOT", self.folder), self.assertRaisesRegex(BadInput, "./run profile makes it"):
            arithmetic.profile_of(self.folder, {"name": "Made-up GPU"})

    def test_a_power_is_fitted_and_the_crossover_is_between_points_by_their_logarithms(self):
        self.assertAlmostEqual(tree.exponent([(x, 7 * x**3.5) for x in (0.2, 0.3, 0.8)]), 3.5)
        self.assertIsNone(tree.exponent([(0.5, 1), (0.5, 2)]))
        self.assertAlmostEqual(tree.crossover([(10**4, 0.1, True), (10**6, 10, True)]), 10**5)
        for ratios in ([], [(10, 2, True), (20, 3, True)], [(10, 0.2, True), (20, 0.3, True)],
                       [(10, 0.5, True), (20, 2, True), (40, 0.9, True)]):
            self.assertIsNone(tree.crossover(ratios))

    def test_the_faster_direct_sum_that_passed_is_compared_and_carried_on_as_n_squared(self):
        sizes = (10**4, 10**6)
        runs = [run_of(step, bodies, force_ms={"median": ms * bodies**2}) for bodies in sizes for step, ms in (("04_a", 3e-9), ("05_a", 2.5e-9))]
        rows = tree.rows(made_up(runs))
        direct = tree.direct_times(rows)
        ratios = tree.speed_ups(direct, [(bodies, 2.5e-4 * bodies) for bodies in (*sizes, 10**7)])
        for found, expected in zip(ratios, ((10**4, 0.1, True), (10**6, 10, True), (10**7, 100, False))):
            self.assertEqual((found[0], found[2]), (expected[0], expected[2]))
            self.assertAlmostEqual(found[1], expected[1])
        rows[-1]["passed"] = False
        self.assertAlmostEqual(dict(tree.direct_times(rows))[10**6], 3000)

    def test_a_link_is_found_from_times_of_its_messages_short_ones_as_much_as_long_ones(self):
        found = ranks.fitted({size: 9e-3 + 1e-6 * size / 250 for size in (16, 512, 2**14, 2**19, 2**24)})
        self.assertAlmostEqual(found.latency_us, 9)
        self.assertAlmostEqual(found.gb_per_s, 250, 5)
        found = ranks.fitted({16: 0.010, 2**14: 0.010, 2**24: 0.08})  # the last alone is a thousand times as long
        self.assertAlmostEqual(found.latency_us, 10, delta=0.1)

    def test_a_deal_is_shared_by_as_many_evaluations_as_in_the_program(self):
        self.assertEqual(f"kHeld = {ranks.HELD};",
                         re.search(r"kHeld = \d+;", (ROOT / "11_distributed_tree/distributed_tree.cu").read_text())[0])


@needs_matplotlib()
class Figures(SweepTest):
    def test_every_step_has_a_colour_and_a_marker_of_its_own(self):
        from common.tools.plots.figure import MARKERS, STEP_COLOURS
        self.assertEqual(len(MARKERS), len(STEP_COLOURS))
        self.assertLessEqual(len(programs.step_programs(Path("gpu"))), len(STEP_COLOURS))

    def test_a_point_of_a_time_against_an_error_is_the_median_over_the_seeds(self):
        from common.tools.plots.trees import middle
        runs = [run_of("06", 1, parameters={"theta": theta}, ms=seed + theta, error={"p99": seed * theta})
                for theta in (0.8, 0.5) for seed in (3, 1, 2)]
        self.assertEqual(middle(runs, lambda run: run["ms"]), [(1, 2.5), (1.6, 2.8)])

    def test_what_failed_its_check_is_not_drawn(self):
        document = recorded("maps")
        self.assertEqual(self.drawn("maps", {**document, "runs": [{**run, "passed": False} for run in document["runs"]]}), {})

    def test_ranks_on_two_gpus(self):
        build = made_up_build(self, "gpu/", SCALING, name="Made-up") / "gpu"
        with mock.patch.object(tools_ranks, "gpus", lambda: 2), mock.patch.object(ranks, "ALONE", (2**14, 2**16, 2**18, 2**20)):
            made = self.measured("ranks")
        self.assertAlmostEqual(made["link"]["gb_per_s"], 400, 3)
        self.assertEqual(made["device"]["name"], "Made-up")
        # Three exchanges at four sizes and a weak one, and the tree at one more of each; one was refused.
        self.assertEqual((len(made["table"]), made["sweep"]["left_out"][0]["reason"]), (3 * (4 + 1) + 5 + 2 - 1, "08_many_gpus: too few"))
        rows = {(row["exchange"], row["ranks"], row["bodies"]): row for row in made["table"]}
        large = rows["ring", 2, 2**20]
        self.assertAlmostEqual(large["speedup"], 2, 3)
        self.assertAlmostEqual(large["predicted_speedup"], large["speedup"], 3)
        self.assertEqual(sum(row["scaling"] == "weak" for row in made["table"]), 3 + 2)
        self.assertTrue((build / "sweeps" / "ranks.svg").exists())

    def test_of_what_is_recorded_every_figure_and_table_is_there_again(self):
        for name in (name for name, each in SWEEPS.items() if each.drawn_by):
            drawn, kept = self.drawn(name, recorded(name)), RECORDED / f"{name}.csv"
            recorded_too = [svg.stem for svg in RECORDED.glob("*.svg") if re.match(rf"{name}[.-]", svg.name)]
            self.assertEqual(sorted(drawn), sorted(recorded_too))
            self.assertGreater(min(map(len, drawn.values())), 10000)
            self.assertEqual(SWEEPS[name].keeps_table, kept.exists())
            if kept.exists():
                measure.write_csv(self.write(kept.name), recorded(name))
                self.assertEqual((self.folder / kept.name).read_text(), kept.read_text())


class Recorded(unittest.TestCase):
    def test_runs_passed_their_checks(self):
        for name in ("bodies", "parts", "accuracy", "tree"):
            self.assertTrue(all(run["passed"] for run in recorded(name)["runs"]), name)

    def test_the_table_of_trees_is_what_its_runs_give(self):
        document = recorded("tree")
        # To nine digits: Python's sum() rounds otherwise from 3.12 on.
        self.assertEqual(*(json.loads(json.dumps(rows), parse_float=lambda text: f"{float(text):.9g}")
                           for rows in (document["table"], tree.rows(document))))

    def test_the_issue_of_arithmetic_is_predicted_within_six_hundredths(self):
        for run in recorded("issue")["runs"]:
            if run["kernel"] == "operandLoop" and not run["what"].endswith(("roots", "loads")):
                self.assertLess(abs(run["predicted_issue_rate"] / run["issue_rate"] - 1), 0.06, run["loop"])
