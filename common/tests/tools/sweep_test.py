"""Tests of the sweeps, on made-up reports of programs that do not exist, and of what is recorded of them."""

import csv
import json
import re
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import ROOT, BadInput, CommandFailed
from common.tests.tools.case import InFolder, SweepTest, call, made_up, needs_matplotlib, run_of
from common.tools import programs
from common.tools.ladder import sass
from common.tools.ladder.table import row_name, whole_table
from common.tools.sweeps import arithmetic, cases, measure, table, tensor_errors
from common.tools.sweeps.arithmetic import issue_rate, operands, reads
from common.tools.sweeps.table import SWEEPS


RECORDED = ROOT / "docs" / "results"
# Refuses --unroll=4, fails its check at --unroll=8.
STEP_03 = """unroll = int(given["unroll"])
if unroll == 4:
    sys.exit(print("fake: too large", file=sys.stderr) or 2)
runs = [run_of("03_unrolled", given["bodies"], parameters={"unroll": unroll}, passed=unroll != 8)]
print("measured")
"""
STUDY = """runs = [{"map": "lambda", "exact_up_to": 7}] if "--exactness" in sys.argv else [run_of(name, 1024, map="box")] * 4
print("studied")
"""
# The part of a step's --help that the sweep reads.
TREE = """if "--help" in sys.argv:
    sys.exit(print('''  --theta VALUE      opening angle: from 0.001 to 1.5 (default: 0.5)
  --opening VALUE    what opens a cell: its distance, or more: near, far or neither (default: near)
                       near: its distance'''))
runs = [run_of(name, given["bodies"], parameters={"theta": 0.5}, seed=given.get("seed", 1))]
"""
PRECISION = """double = name.endswith("_fp64")
runs = [run_of(name, given["bodies"], precision="fp64" if double else "fp32", force_ms={"median": 3.0 if double else 2.0},
               parameters={"equal_masses": "used"} if name.startswith("05") else {})]
"""
MIXED = """runs = [run_of(name, given["bodies"], parameters={"positions": p, "sums": s})
        for p in ("fp32", "pairs", "fixed", "fp64") for s in ("plain", "compensated")]
"""
# Two interactions, each with five FP64 instructions for its square root and twelve others.
BODY = 2 * [*3 * ["DADD"], *3 * ["DFMA"], "MUFU.RSQ64H", *2 * ["DMUL"], *3 * ["DFMA"], *3 * ["DMUL"], *3 * ["DFMA"], "LDS.128"]
LISTING = "\n".join(["code for sm_90", "Function : _ZN5nbody12forcesKernelILi1EEEv"]
                    + [f"        /*{16 * k:04x}*/  {name} R0, R1 ;" for k, name in enumerate(BODY)]
                    + [f"        /*{16 * len(BODY):04x}*/  @P0 BRA 0x0 ;"])
CEILINGS = """runs = [{"step": "ceilings", "memory": name, "gb_per_s": rate, "bytes": 1, "passed": True}
        for name, rate in (("shared", 30000.0), ("l2", 5000.0), ("dram", 4000.0))]
"""
METRICS = {"fadd": 3e9, "fmul": 3e9, "ffma": 6e9, "xu_instructions": 1e9 / 32, "shared_wavefronts": 1e7, "l2_bytes": 1.6e8,
           "dram_bytes": 0.0}


def recorded(name, device="h200"):
    return json.loads((RECORDED / device / f"{name}.json").read_text())


def loop(*lines):
    return [(16 * k, *line.split(" ", 1)) for k, line in enumerate(lines)]


def profiled(bodies=262144, **metrics):
    return {"step": "03_unrolled", "bodies": bodies, "parameters": {}, "ncu_ms": 1.0, "metrics": {**METRICS, **metrics}}


class Arguments(SweepTest):
    def test_bad_input_gets_one_line_and_status_2(self):
        text, unroll = self.write("text.json", "text"), RECORDED / "h200" / "unroll.json"
        cpu, gpu, missing = (self.folder / name for name in ("cpu", "gpu", "missing.json"))
        self.expect_refusals(
            (), ("nonsense", "--build", self.folder), ("unroll", "--build", cpu, "--record"), ("unroll", "--from", missing),
            ("unroll", "--from", text), ("block", "--from", unroll), ("maps", "--from", unroll), ("all", "--from", unroll),
            ("unroll", "--from", unroll, "--scene=cube"), ("mixed", "--build", gpu, "--bodies=many"),
            *((name, "--build", cpu) for name in SWEEPS if SWEEPS[name].needs_gpu),
            *((name, "--build", gpu, "--scene=cube") for name in SWEEPS if SWEEPS[name].scene),
            *((name, "--build", gpu, "--bodies=7") for name in SWEEPS if name != "mixed"))


class PointsAndDocuments(SweepTest):
    def test_where_an_evaluation_takes_long_few_are_measured(self):
        self.assertEqual([programs.repeats_for(bodies, 7, 3) for bodies in (262144, 262145, "1048576", "1e6", None)],
                         [7, 3, 3, 7, 7])

    def test_the_executor_gets_small_sizes(self):
        for sweep in table.CHAPTER:
            for _, arguments in sweep.points(SimpleNamespace(build=Path("cpu"), scene=None, repeats=None)):
                self.assertLessEqual(int(arguments[0].split("=")[1]), table.EXECUTOR_UP_TO)

    def test_every_rule_that_the_program_has_is_measured(self):
        for name in ("06_tree_walk/06_tree_walk", "07_device_tree/07_tuned"):
            program = self.reporter(name, TREE)
        self.assertEqual(programs.choices(program, "opening"), ["near", "far", "neither"])
        with self.assertRaisesRegex(CommandFailed, "names no words for --walk"):
            programs.choices(program, "walk")
        options = SimpleNamespace(build=self.folder, scene=None, repeats=None)
        found = [(step.name, *words) for step, words in SWEEPS["accuracy"].points(options)]
        self.assertEqual(len(set(found)), (4 * len(table.THETAS) + len(table.TOLERANCES)) * len(table.SEEDS))
        self.assertEqual({word for words in found for word in words if word.startswith("--opening=")},
                         {"--opening=near", "--opening=far", "--opening=neither"})
        self.assertEqual(sum("--repeats=3" in words for words in found), len(found))

    def test_merging_takes_the_median_ceiling(self):
        merged = programs.merged([made_up([run_of("03", 1, gflops=30000)], fma_tflops=c) for c in (50.0, 60.0, 90.0)])
        self.assertEqual(merged["device"]["fma_tflops"], 60)
        self.assertEqual([run["fma_share"] for run in merged["runs"]], [0.5] * 3)

    def test_csv_holds_every_point_with_its_error(self):
        run = run_of("03", 1, parameters={"unroll": 2}, error={"median": 1e-7, "exceeded_by": {"0.5": 1e-7}})
        measure.write_csv(self.folder / "unroll.csv", made_up([run, run]))
        with (self.folder / "unroll.csv").open() as lines:
            _, row = csv.DictReader(lines)
        self.assertNotIn("error_exceeded_by", row)  # a distribution is no column
        self.assertEqual((row["unroll"], row["error_median"], row["force_ms_median"]), ("2", "1e-07", "2.0"))


class TensorErrors(unittest.TestCase):
    def test_each_measure_of_step_09_can_be_taken_out(self):
        whole, *_ = texts = [tensor_errors.sources(measures) for measures in range(len(tensor_errors.WITHOUT), -1, -1)]
        self.assertEqual(whole, {name: (ROOT / tensor_errors.STEP / name).read_text() for name in whole})
        self.assertTrue(all(a != b for a, b in zip(texts, texts[1:])))


class Measured(SweepTest):
    """Tests of programs without a GPU, so that no figure is drawn."""

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

    def test_a_study_leaves_its_runs_and_its_second_run(self):
        self.reporter("gpu/05_triangular_map/05_map_study", STUDY, kind="executor")
        written = self.measured("maps")
        self.assertEqual((len(written["runs"]), written["sweep"]["name"]), (4, "maps"))
        self.assertEqual(written["exactness"], [{"map": "lambda", "exact_up_to": 7}])
        self.assertEqual((self.folder / "gpu" / "sweeps" / "maps.log").read_text().count("studied"), 2)

    def test_step_07(self):
        for program in ("06_tree_walk/06_tree_walk", "07_device_tree/07_tuned", "10_fast_multipole/10_tuned"):
            self.reporter(f"gpu/{program}", TREE, kind="executor")
        for name, count in (("parts", len(table.PARTS_SIZES)), ("accuracy", 5 * len(table.SEEDS))):
            with mock.patch.object(table, "THETAS", (0.5,)), mock.patch.object(table, "TOLERANCES", (1e-4,)):
                written = self.measured(name)
            self.assertEqual((len(written["runs"]), written["sweep"]["left_out"]), (count, []))

    def test_the_tables_of_pages_have_runs_that_differ(self):
        for program in ("05_triangular_map/05_triangular_map", "06_tree_walk/06_tree_walk", "06_tree_walk/06_lists", "07_device_tree/07_device_tree",
                        "07_device_tree/07_tuned", "10_fast_multipole/10_fast_multipole", "10_fast_multipole/10_tuned"):
            self.reporter(f"gpu/{program}", TREE)
        for name in cases.CASES:
            todo = SWEEPS[name].points(SimpleNamespace(build=self.folder / "gpu", scene=None, repeats=None))
            self.assertEqual(len({str(point) for point in todo}), len(todo), name)
        todo = [" ".join(arguments) for _, arguments in todo]
        self.assertIn("--scene=cube --bodies=65536 --steps=0 --repeats=9 --order=5 --theta=0.4 --leaf=32", todo)
        self.assertEqual(len(self.measured("tree_walks")["runs"]), 5)


class Arithmetic(InFolder):
    def test_registers_by_place_without_the_result(self):
        for name, words, found in (
                ("FFMA.FTZ", "R1, R2.reuse, -R3, |R4|", {0: (2, True), 1: (3, False), 2: (4, False)}),
                ("FFMA.FTZ", "R13, R35, R35, UR8", {0: (35, False), 1: (35, False)}),
                ("FADD.FTZ", "R1, R2, R3.reuse", {0: (2, False), 2: (3, True)}),  # adds where a multiply-add does
                ("LDS.128", "R12, [R7+UR5+0x10]", {0: (7, False)}), ("STS", "[R7], R9", {0: (7, False), 1: (9, False)})):
            self.assertEqual(operands(name, words), found, words)

    def test_what_is_kept_is_not_read_again_in_the_same_place(self):
        self.assertEqual(reads(loop("FMUL R1, R2.reuse, R3", "FMUL R5, R2, R7")), [[1, 1], [0, 1]])
        self.assertEqual(reads(loop("FMUL R1, R2.reuse, R3", "FMUL R5, R7, R2")), [[1, 1], [1, 1]])

    def test_rates_by_hand(self):
        for rate, *lines in (
            (1, "FADD R1, R2, R3"),
            (1, "FFMA R1, R2, R2, R3"),
            (1 / 2, "FFMA R1, R2, R4, R3"),           # two of the even bank, each time
            (1 / 3, "FFMA R1, R2, R4, R6"),
            (2 / 3, "FFMA R1, R2, R4, R3", "FFMA R5, R2, R3, R7"),  # three of each bank for two
            (1, "FFMA R1, R2, R4, R3", "FADD R1, R5, 1"),  # the second read of the even bank is done meanwhile
            (1, "FFMA R1, R2.reuse, R4, R3", "FFMA R5, R2.reuse, R8, R7")):
            self.assertAlmostEqual(issue_rate(loop(*lines) * 50), rate, delta=0.02, msg=lines)

    def test_a_loop_is_found_by_its_templates_arguments(self):
        name = "_ZN5nbody11operandLoopILNS_3MixE3ELi{}EEEvPK6float4iPfPx"
        listing = "".join(f"Function : {name.format(seed)}\n/*0000*/ FADD R1, R{seed}, R3 ;\n/*0010*/ BRA 0x0000 ;\n"
                          for seed in (1, 16))
        found = arithmetic.loop_of(sass.parse(listing), {"kernel": "operandLoop", "arguments": [3, 16]})
        self.assertEqual(found[0][2], "R1, R16, R3")

    def test_what_is_beyond_the_formula_is_the_root(self):
        self.assertEqual(arithmetic.root_instructions(sass.parse(LISTING)), 5)
        self.assertIsNone(arithmetic.root_instructions(sass.parse(LISTING.replace("MUFU.RSQ64H", "MUFU.RSQ"))))

    def test_a_point_of_the_roofline(self):
        point = arithmetic.roofline_row(profiled())
        self.assertAlmostEqual(point["tflops"], 19)  # 3 + 3 + 12 + 1 billion in a millisecond
        self.assertAlmostEqual(point["flop_per_byte_shared"], 19e9 / 1.28e9)
        self.assertAlmostEqual(point["flop_per_byte_l2"], 118.75)
        self.assertNotIn("flop_per_byte_dram", point)  # nothing was read: no roof

    def test_the_lowest_roof_counts(self):
        ceilings, device = {"shared": 1000.0, "l2": 5000.0, "dram": 4000.0}, {"fma_tflops": 60.0}
        self.assertEqual(arithmetic.attainable(device, ceilings, {"flop_per_byte_shared": 10}), (10.0, "shared"))
        self.assertEqual(arithmetic.attainable(device, ceilings, {"flop_per_byte_shared": 100}), (60.0, "FMA"))

    def test_a_recorded_profile_will_do(self):
        self.write("docs/results/made-up-gpu/profile.json", json.dumps({"runs": [profiled()]}))
        with mock.patch.object(arithmetic, "ROOT", self.folder):
            self.assertEqual(len(arithmetic.profile_of(self.folder, {"name": "Made-up GPU"})), 1)
            with self.assertRaises(BadInput):
                arithmetic.profile_of(self.folder, {"name": "Other"})


@needs_matplotlib()
class MeasuredAndDrawn(SweepTest):
    def measured(self, name, *words):
        document = super().measured(name, *words)
        self.assertTrue((self.folder / "gpu" / "sweeps" / f"{name}.svg").exists())
        return document

    def test_fp64_beside_fp32(self):
        names = ["03_unrolled", "05_triangular_map"]
        for name in names:
            self.reporter(f"gpu/{name}/{name}", PRECISION)
            self.reporter(f"gpu/{name}/{name}_fp64", PRECISION)
        with mock.patch.multiple(sass, have_disassembler=lambda: True, kernels_of=lambda program: sass.parse(LISTING)), \
             mock.patch.multiple(table, programs_of=lambda step: [step], kernel_steps=lambda: names):
            document = self.measured("fp64")
        rows = document["table"]
        self.assertEqual(len(rows), 4)
        self.assertEqual((rows[0]["step"], rows[0]["slowdown"], rows[0]["root_instructions"]), ("03_unrolled", 1.5, 5))
        self.assertNotIn("root_instructions", rows[1])  # step 05's loop is of pairs
        self.assertEqual(row_name(rows[1]), "05_triangular_map, equal masses")
        runs = [run for run in document["runs"] if run["precision"] == "fp32"]
        columns, (first, *_) = whole_table(runs, {(row_name(row), row["bodies"]): row for row in rows})
        self.assertEqual(columns[-3:], ["FP64 ms", "FP64 / FP32", "check"])
        self.assertEqual(first[-3:], ["3.00", "1.50", "ok"])

    def test_errors_against_times(self):
        self.reporter("gpu/03_unrolled/03_mixed", MIXED)
        self.assertEqual(len(self.measured("mixed")["runs"]), 16)
        self.assertEqual({run["bodies"] for run in self.measured("mixed", "--bodies=100")["runs"]}, {100})

    def test_the_roofline_is_measured_with_the_last_profile(self):
        self.reporter("gpu/common/ceilings", CEILINGS)
        with mock.patch.object(arithmetic, "ROOT", self.folder):
            self.expect_refusals(("roofline", "--build", self.folder / "gpu"))
            self.write("gpu/profile/profile.json",
                       json.dumps({"runs": [profiled(), profiled(bodies=1024), profiled(dram_bytes=1e6)]}))
            self.assertEqual(["attainable_tflops" in row for row in self.measured("roofline")["table"]], [True, True])


@needs_matplotlib()
class Figures(SweepTest):
    def test_recorded_data_are_drawn_the_same_twice(self):
        self.assertEqual(self.drawn("unroll", recorded("unroll")), self.drawn("unroll", recorded("unroll")))

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
        for name in ("unroll", "maps", "tree", "parts", "accuracy", "mixed"):
            document = recorded(name)
            self.assertEqual(self.drawn(name, {**document, "runs": [{**run, "passed": False} for run in document["runs"]]}), {})

    def test_of_what_is_recorded_every_figure_and_table_is_there_again(self):
        for name in (name for name, sweep in SWEEPS.items() if sweep.drawn_by):
            drawn, table = self.drawn(name, recorded(name)), RECORDED / "h200" / f"{name}.csv"
            recorded_too = [svg.stem for svg in table.parent.glob("*.svg") if re.match(rf"{name}[.-]", svg.name)]
            self.assertEqual(sorted(drawn), sorted(recorded_too))
            self.assertGreater(min(map(len, drawn.values())), 10000)
            self.assertEqual(SWEEPS[name].keeps_table, table.exists())
            if table.exists():
                measure.write_csv(self.write(table.name), recorded(name))
                self.assertEqual((self.folder / table.name).read_text(), table.read_text())

    def test_other_codes_are_drawn_beside_the_rules(self):
        other, text = recorded("other_codes"), self.drawn("accuracy", recorded("accuracy"))["accuracy"]
        for words in ("step 06", "step 06, the walk alone", *(f"{code}, commit {facts['commit'][:7]}"
                                                              for code, facts in other["codes"].items())):
            self.assertIn(f">{words}</text>", text)


class Recorded(unittest.TestCase):
    """Tests of the recorded results of every device."""

    def documents(self, name):
        return ((file, json.loads(file.read_text())) for file in RECORDED.glob(f"*/{name}.json"))

    def test_splitting_a_sum_does_not_cost_accuracy(self):
        for file, document in self.documents("bodies"):
            errors = {(run["step"][:2], run["bodies"]): run["error"]["median"] for run in document["runs"]}
            for (step, bodies), error in errors.items():
                if step in ("04", "05"):
                    self.assertLessEqual(error, 1.5 * errors["01" if step == "04" else "03", bodies], (file, step, bodies))

    def test_runs_passed_their_checks_and_the_parts_make_the_whole(self):
        for name in ("bodies", "parts", "accuracy"):
            for file, document in self.documents(name):
                self.assertTrue(all(run["passed"] for run in document["runs"]), file)
                for run in document["runs"] if name == "parts" else ():
                    # Each part ends with a wait, so that together they take longer, but no other work is in the whole.
                    self.assertGreater(sum(run["parts_ms"].values()), 0.9 * run["force_ms"]["median"], (file, run["bodies"]))

    def test_the_issue_of_arithmetic_is_predicted_within_six_hundredths(self):
        for _, document in self.documents("issue"):
            for run in document["runs"]:
                if run["kernel"] == "operandLoop" and not run["what"].endswith(("roots", "loads")):
                    self.assertLess(abs(run["predicted_issue_rate"] / run["issue_rate"] - 1), 0.06, run["loop"])
