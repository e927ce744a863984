"""Tests of the sweeps `parts` and `accuracy`, on made-up runs."""

import json
import re
import unittest
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import ROOT, CommandFailed
from common.tests.tools.case import SweepTest, needs_matplotlib
from common.tools.programs import choices
from common.tools.sweeps import device_tree

SEEDS = (1, 2, 3)
# The part of a step's --help that the sweep reads.
FAKE_HELP = """print('''  --theta VALUE      opening angle: from 0.001 to 1.5 (default: 0.5)
  --opening VALUE    what opens a cell: its distance, or more: near, far or neither (default: near)
                       near: its distance''')
"""

# Prints and reports like a step.
FAKE_STEP = """import json, sys
from pathlib import Path
sys.path.insert(0, "ROOT")
from common.tests.tools.device_tree_sweep_test import FAKE_HELP, run_of
if "--help" in sys.argv:
    exec(FAKE_HELP)
    sys.exit()
given = dict(word.lstrip("-").split("=") for word in sys.argv[1:])
run = run_of("STEP", int(given["bodies"]), float(given.get("theta", 0.5)), int(given.get("seed", 1)),
             given.get("opening"))
Path(given["json"]).write_text(json.dumps({**json.loads('DOCUMENT'), "runs": [run]}))
""".replace("ROOT", str(ROOT))


def run_of(step, bodies, theta, seed=1, opening=None):
    """1 ms for each 10,000 bodies at theta 1, of which the walk takes a half; errors grow as theta^3."""
    ms = bodies / 1e4 / theta
    parts = {"fused_walk": ms / 2} if step.startswith("06") else {"sort": ms / 4, "walk": ms / 2}
    return {"step": step, "scene": "plummer", "bodies": bodies, "precision": "fp32", "seed": seed, "softening": 0.01,
            "parameters": {"theta": theta, "leaf": 24, **({"opening": opening} if opening else {})},
            "force_ms": {"median": ms}, "parts_ms": parts, "passed": True,
            "error": {"sampled": 1000, "median": 1e-3 * theta**3, "p99": seed * 2e-3 * theta**3}}


def document(name, runs):
    return {"suite": {"commit": "made-up"}, "device": {"name": "Made-up GPU", "kind": "gpu"}, "runs": runs,
            "sweep": {"name": name, "left_out": []}}


class Points(SweepTest):
    def test_every_rule_that_the_program_has_is_measured(self):
        for number in ("06_tree_walk/06_tree_walk", "07_device_tree/07_device_tree"):
            program = self.program(number, FAKE_HELP)
        self.assertEqual(choices(program, "opening"), ["near", "far", "neither"])
        options = SimpleNamespace(build=self.folder, scene=None, repeats=None)
        found = [(step.name, *words) for step, words in device_tree.Accuracy().points(options)]
        self.assertEqual(len(set(found)), 4 * len(device_tree.THETAS) * len(device_tree.SEEDS))
        self.assertEqual({words[-1] for words in found},
                         {"--repeats=3", "--opening=near", "--opening=far", "--opening=neither"})
        sizes = [words[0] for _, words in device_tree.Parts().points(options)]
        self.assertEqual(sizes, [f"--bodies={bodies}" for bodies in device_tree.PARTS_SIZES])

    def test_measured_they_leave_their_runs(self):
        text = json.dumps({**document("made up", []), "device": {"name": "Made-up", "kind": "executor"}})  # no figure
        for step in ("06_tree_walk", "07_device_tree"):
            self.program(f"gpu/{step}/{step}", FAKE_STEP.replace("STEP", step).replace("DOCUMENT", text))
        for name, count in (("parts", len(device_tree.PARTS_SIZES)), ("accuracy", 4 * len(SEEDS))):
            with mock.patch.object(device_tree, "THETAS", (0.5,)):
                self.expect_no_error(name, "--build", self.folder / "gpu")
            written = json.loads((self.folder / "gpu" / "sweeps" / f"{name}.json").read_text())
            self.assertEqual((len(written["runs"]), written["sweep"]["left_out"]), (count, []))

    def test_a_program_without_such_an_option_ends_the_sweep(self):
        with self.assertRaisesRegex(CommandFailed, "names no words for --walk"):
            choices(self.program("07", FAKE_HELP), "walk")

    def test_bad_input_gets_one_line_and_status_2(self):
        for name in ("parts", "accuracy"):
            self.expect_refusals((name, "--build", "cpu"), (name, "--build", "gpu", "--bodies=1000"),
                                 (name, "--from", "missing.json"))
        self.expect_refusals(("accuracy", "--build", "gpu", "--scene=cube"))


class Recorded(unittest.TestCase):
    def test_runs_passed_their_checks_and_the_parts_make_the_whole(self):
        for file in ROOT.glob("docs/results/*/parts.json"):
            for run in json.loads(file.read_text())["runs"]:
                self.assertTrue(run["passed"], file)
                # Each part ends with a wait, so that together they take longer, but no other work is in the whole.
                together = sum(run["parts_ms"].values())
                self.assertGreater(together, 0.9 * run["force_ms"]["median"], (file, run["bodies"]))

    def test_accuracy_passed_its_checks(self):
        for file in ROOT.glob("docs/results/*/accuracy.json"):
            self.assertTrue(all(run["passed"] for run in json.loads(file.read_text())["runs"]), file)

    def test_other_codes_say_how_they_were_built_and_had_the_same_bodies(self):
        for file in ROOT.glob("docs/results/*/other_codes.json"):
            recorded = json.loads(file.read_text())
            self.assertEqual((recorded["bodies"], recorded["scene"]), (device_tree.BODIES, device_tree.SCENE))
            for code, facts in recorded["codes"].items():
                self.assertLessEqual({"commit", "date", "source", "build", "precision", "softening", "opening"}, {*facts}, code)
            self.assertEqual({run["code"] for run in recorded["runs"]}, {*recorded["codes"]})


@needs_matplotlib()
class Figures(SweepTest):
    def words_drawn(self, name, made):
        data = self.write(f"{name}.json", json.dumps(made))
        self.expect_no_error(name, "--from", data)
        return set(re.findall("<!-- (.*) -->", (self.folder / f"{name}.svg").read_text()))

    def test_a_curve_for_each_part(self):
        made = document("parts", [run_of("07_device_tree", bodies, 0.5) for bodies in (1024, 4096)])
        self.assertLess({"sort", "walk", "all, as one graph"}, self.words_drawn("parts", made))

    def test_a_curve_for_each_rule_and_the_other_codes(self):
        runs = [run_of(step, 2**20, theta, seed, opening) for theta in (0.8, 0.5) for seed in SEEDS
                for step, opening in (("06_tree_walk", None), ("07_device_tree", "near"), ("07_device_tree", "far"))]
        other = {"note": "side by side", "codes": {"Bonsai": {"commit": "1234567890"}},
                 "runs": [{"code": "Bonsai", "ms": ms, "error": {"p99": error}} for ms, error in ((5, 4e-4), (9, 2e-4))]}
        with mock.patch("common.tools.plots.device_tree.other_codes", return_value=other):
            drawn = self.words_drawn("accuracy", document("accuracy", runs))
        self.assertLess({"step 06", "step 06, the walk alone"}, drawn)
        for words in ("step 07.*near", "step 07.*far", "Bonsai, commit 1234567"):
            self.assertTrue(any(re.match(words, word) for word in drawn), words)

    def test_a_point_is_the_median_over_the_seeds(self):
        from common.tools.plots.device_tree import middle
        runs = [run_of("06_tree_walk", 2**20, theta, seed) for theta in (0.8, 0.5) for seed in SEEDS]
        found = middle(runs, lambda run: run["force_ms"]["median"])
        for (error, ms), theta in zip(found, (0.5, 0.8)):
            self.assertAlmostEqual(error, 2 * 2e-3 * theta**3)
            self.assertAlmostEqual(ms, 2**20 / 1e4 / theta)
        self.assertEqual(len(found), 2)
