"""Tests of the sweeps' scripts, on made-up reports of programs that do not exist."""

import csv
import json
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder, SweepTest, call, needs_matplotlib
from common.tools import programs
from common.tools.sweeps import files
from common.tools.sweeps.points import EXECUTOR_UP_TO, SWEEPS, points
from common.tools.sweeps.runs import Measurement

# Prints and reports like a step; refuses --unroll=4, fails its check at --unroll=8.
FAKE_STEP = """import json, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:])
unroll = int(options["unroll"])
if unroll == 4:
    print("fake: too large", file=sys.stderr)
    sys.exit(2)
report = REPORT
report["runs"][0].update(bodies=int(options["bodies"]), parameters={"unroll": unroll}, passed=unroll != 8)
Path(options["json"]).write_text(json.dumps(report))
print("measured")
sys.exit(unroll == 8)
"""


def report(bodies=1024, unroll=1, gflops=1000.0, ceiling=60.0):
    """A made-up report."""
    return {
        "suite": {"commit": "made-up", "preset": "gpu"},
        "device": {"name": "Made-up GPU", "kind": "gpu", "fma_tflops": ceiling},
        "runs": [{
            "step": "03_unrolled", "scene": "plummer", "bodies": bodies, "precision": "fp32",
            "parameters": {"block": 64, "unroll": unroll},
            "force_ms": {"median": 2.0, "min": 1.0, "max": 3.0, "repeats": 7},
            "flop_per_interaction": 20, "gflops": gflops, "fma_share": gflops / (1000 * ceiling),
            "error": {"sampled": 1000, "median": 1e-7, "p99": 2e-7, "max": 3e-7, "exceeded_by": {"0.5": 1e-7}},
            "checked": True, "passed": True,
        }],
    }


def recorded_study(name, test, maps):
    """A made-up study: the box, and maps that gain 1.5."""
    runs = [{"step": "05", "test": test, "map": m, "bodies": n, "parameters": {"block": 16}, "exact": n < 2000,
             "improvement": 1.0 if m == "box" else 1.5, "kernel_ms": {"median": 1.0}, "passed": True}
            for n in (1024, 2048) for m in ("box", *maps)]
    return {**report(), "runs": runs, "sweep": {"name": name, "left_out": []}}


def recorded():
    reports = [report(n, u, n * (2 - 1 / u)) for n in (1024, 4096) for u in (1, 2, 4)]
    return {**programs.merged(reports), "sweep": {"name": "unroll", "left_out": []}}


class Arguments(SweepTest):
    def test_bad_input_gets_one_line_and_status_2(self):
        text, unroll = self.write("text.json", "text"), self.write("unroll.json", json.dumps(recorded()))
        cpu, gpu, missing = (self.folder / name for name in ("cpu", "gpu", "missing.json"))
        self.expect_refusals(
            (), ("nonsense", "--build", self.folder), ("unroll", "--build", cpu, "--record"),
            ("unroll", "--from", missing), ("unroll", "--from", text), ("block", "--from", unroll),
            ("maps", "--build", cpu), ("triplets", "--build", cpu), ("maps", "--build", gpu, "--scene=cube"),
            ("issue", "--build", cpu), ("issue", "--build", gpu, "--scene=cube"), ("maps", "--from", unroll), ("all", "--from", unroll), ("unroll", "--from", unroll, "--scene=cube"))


# Prints and reports like a study.
FAKE_STUDY = """import json, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
document = DOCUMENT
if "--exactness" in sys.argv:
    document["runs"] = [{"map": "lambda", "exact_up_to": 7}]
Path(options["json"]).write_text(json.dumps(document))
print("studied")
"""


class Studies(SweepTest):
    def test_a_study_leaves_its_runs_and_its_second_run(self):
        study = recorded_study("maps", "dummy", ["lambda"])
        study["device"]["kind"] = "executor"  # no figure
        self.program("gpu/05_triangular_map/05_map_study", FAKE_STUDY.replace("DOCUMENT", repr(study)))
        self.expect_no_error("maps", "--build", self.folder / "gpu")
        written = json.loads((self.folder / "gpu" / "sweeps" / "maps.json").read_text())
        self.assertEqual(len(written["runs"]), 4)
        self.assertEqual(written["exactness"], [{"map": "lambda", "exact_up_to": 7}])
        self.assertEqual(written["sweep"]["name"], "maps")
        self.assertEqual((self.folder / "gpu" / "sweeps" / "maps.log").read_text().count("studied"), 2)


class Points(unittest.TestCase):
    OPTIONS = SimpleNamespace(scene=None, repeats=None)

    def test_each_sweep_has_the_sizes_of_its_figure(self):
        counts = {name: len(points(SWEEPS[name], Path("gpu"), True, self.OPTIONS)) for name in SWEEPS}
        steps = len(programs.step_programs(Path("gpu")))
        self.assertEqual(counts, {"unroll": 7 * 3, "bodies": 13 * steps, "block": 10 * 3, "threads": 6 * 9})

    def test_where_an_evaluation_takes_long_few_are_measured(self):
        self.assertEqual([programs.repeats_for(bodies, 7, 3) for bodies in (262144, 262145, "1048576", "1e6", None)],
                         [7, 3, 3, 7, 7])

    def test_the_executor_gets_small_sizes(self):
        for name in SWEEPS:
            for _, arguments in points(SWEEPS[name], Path("cpu"), False, self.OPTIONS):
                self.assertLessEqual(int(arguments[0].split("=")[1]), EXECUTOR_UP_TO)


class Recorded(unittest.TestCase):
    """What the recorded results of every device must hold."""

    def test_splitting_a_sum_does_not_cost_accuracy(self):
        for file in ROOT.glob("docs/results/*/bodies.json"):
            runs = json.loads(file.read_text())["runs"]
            self.assertTrue(all(run["passed"] for run in runs), file)
            errors = {(run["step"][:2], run["bodies"]): run["error"]["median"] for run in runs}
            for (step, bodies), error in errors.items():
                if step in ("04", "05"):
                    self.assertLessEqual(error, 1.5 * errors["01" if step == "04" else "03", bodies], (step, bodies))


class Documents(InFolder):
    def test_merging_takes_the_median_ceiling(self):
        merged = programs.merged([report(gflops=30000, ceiling=c) for c in (50.0, 60.0, 90.0)])
        self.assertEqual(merged["device"]["fma_tflops"], 60)
        self.assertEqual([run["fma_share"] for run in merged["runs"]], [0.5] * 3)

    def test_csv_holds_every_point_with_its_error(self):
        file = self.folder / "unroll.csv"
        files.write_csv(file, recorded())
        with file.open() as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual(len(rows), 6)
        self.assertNotIn("error_exceeded_by", rows[1])  # a distribution is no column
        self.assertEqual((rows[1]["unroll"], rows[1]["error_median"], rows[1]["force_ms_max"]), ("2", "1e-07", "3.0"))

    def test_a_refused_point_is_left_out_and_a_failed_one_kept(self):
        fake = self.program("fake", FAKE_STEP.replace("REPORT", repr(report())))
        todo = [(fake, ["--bodies=1024", f"--unroll={unroll}"]) for unroll in (2, 4, 8)]
        measurement, _, _ = call(Measurement, SWEEPS["unroll"], todo)
        document = measurement.document()
        self.assertEqual([run["passed"] for run in document["runs"]], [True, False])
        self.assertEqual([left["reason"] for left in document["sweep"]["left_out"]], ["fake: too large"])
        self.assertTrue(measurement.failed)
        self.assertIn("$ fake --bodies=1024 --unroll=2\nmeasured\n", measurement.log)


@needs_matplotlib()
class Figures(SweepTest):
    def test_recorded_data_are_drawn_the_same_twice(self):
        data = self.write("unroll.json", json.dumps(recorded()))
        drawings = []
        for _ in range(2):
            self.expect_no_error("unroll", "--from", data)
            drawings.append((self.folder / "unroll.svg").read_bytes())
        self.assertEqual(*drawings)
        self.assertTrue((self.folder / "unroll.png").read_bytes().startswith(b"\x89PNG"))

    def test_every_step_has_a_colour_and_a_marker_of_its_own(self):
        from common.tools.plots.figure import MARKERS, STEP_COLOURS
        self.assertEqual(len(MARKERS), len(STEP_COLOURS))
        self.assertLessEqual(len(programs.step_programs(Path("gpu"))), len(STEP_COLOURS))

    def test_studies_are_drawn(self):
        for name, test, maps, figure in (("triplets", "triplets", ["tetrahedron"], "triplets"),
                                         ("maps", "index", ["lambda"], None)):
            data = self.write(f"{name}.json", json.dumps(recorded_study(name, test, maps)))
            self.expect_no_error(name, "--from", data)
            if figure:
                self.assertTrue((self.folder / f"{figure}.png").read_bytes().startswith(b"\x89PNG"))
        both = recorded_study("maps", "index", ["lambda", "rectangle"])
        for test in ("dummy", "edm", "collision1d", "collision3d"):
            both["runs"] += recorded_study("maps", test, ["lambda", "rectangle"])["runs"]
        data.write_text(json.dumps(both))
        self.expect_no_error("maps", "--from", data)
        for figure in (3, 5):
            self.assertTrue((self.folder / f"maps-figure-{figure}.png").read_bytes().startswith(b"\x89PNG"))
