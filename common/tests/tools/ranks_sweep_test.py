"""Tests of the sweep of step 08's scaling and of its model, on made-up times."""

import json
import re
import unittest
from unittest import mock

from common.base.command_line import ROOT, run_command
from common.tests.tools.case import InFolder, SweepTest, call, needs_matplotlib
from common.tests.tools.ranks_tools_test import FAKE_MPIRUN
from common.tools import ranks
from common.tools.sweeps import ranks_model, ranks_points, ranks_prediction
from common.tools.sweeps.ranks_model import Link, OneRank

PERFECT = OneRank({bodies: 1e-6 * bodies**2 for bodies in (256, 1024, 65536)})  # 1 ns for each 1,000 interactions
NO_TIME = Link(0, 1e12)
ALL_PAIRS = ("gather", "ring", "pairs")


class Model(unittest.TestCase):
    def test_a_link_is_found_from_times_of_its_messages(self):
        made = Link(latency_us=9, gb_per_s=250)
        found = ranks_model.fitted({size: 9e-3 + 1e-6 * size / 250 for size in (16, 512, 2**14, 2**19, 2**24)})
        self.assertAlmostEqual(found.latency_us, made.latency_us)
        self.assertAlmostEqual(found.gb_per_s, made.gb_per_s, 5)

    def test_short_messages_count_in_the_fit_as_much_as_long_ones(self):
        found = ranks_model.fitted({16: 0.010, 2**14: 0.010, 2**24: 0.08})  # the last alone is a thousand times as long
        self.assertAlmostEqual(found.latency_us, 10, delta=0.1)

    def test_times_between_the_measured_are_on_a_power_law_and_go_on_as_the_square(self):
        for bodies in (512, 4096, 10**6):
            self.assertAlmostEqual(PERFECT.ms(bodies**2) / (1e-6 * bodies**2), 1)
        self.assertEqual(PERFECT.ms(4**2), PERFECT.ms(256**2))  # a launch takes as long however little it does

    def test_without_messages_time_a_perfect_kernel_scales_perfectly(self):
        for exchange in ALL_PAIRS:
            for ranks in (1, 2, 3, 5, 8):
                found = ranks_model.row(exchange, 16384, ranks, PERFECT, NO_TIME)
                self.assertAlmostEqual(found["speedup"], ranks, 6, (exchange, ranks))
                self.assertAlmostEqual(found["lost_to_waiting"] + found["lost_to_short_kernels"], 0, 6)

    def test_what_waits_for_messages(self):
        link = Link(latency_us=10, gb_per_s=16e-3, hop_us=1)  # a body in 1 us
        waiting = {exchange: ranks_model.predicted(exchange, 4000, 4, PERFECT, link).waiting
                   for exchange in ALL_PAIRS}
        self.assertAlmostEqual(waiting["gather"], 0.010 + 3.0 + 0.002)  # 3,000 bodies, two hops more
        # A turn's forces of 1,000 x 1,000 take as long as its 1,000 bodies: only the latency is left of three messages.
        self.assertAlmostEqual(waiting["ring"], 3 * 0.010)
        hidden = Link(latency_us=10, gb_per_s=17e-3)
        self.assertEqual(ranks_model.predicted("ring", 4000, 4, PERFECT, hidden).waiting, 0)
        # Half of 1,000 reactions, after all forces: own 1, with the next rank 2, half of those with the farthest 1 ms. Before
        # that bodies of 1.01 ms, then 2.01 ms both ways, then 1 ms: as long as the forces.
        self.assertAlmostEqual(waiting["pairs"], 0.510 + 0.02)

    def test_slow_links_show_in_a_ring(self):
        link = Link(latency_us=0, gb_per_s=8e-3)  # a body in 2 us
        self.assertAlmostEqual(ranks_model.predicted("ring", 4000, 4, PERFECT, link).waiting, 3 * (2 - 1))

    def test_a_rung_without_a_model_has_no_prediction(self):
        self.assertIsNone(ranks_model.predicted("new", 4000, 2, PERFECT, NO_TIME))

    def test_a_tree_takes_latencies_besides_what_its_bodies_take_alone(self):
        linear = OneRank({1000: 1.0, 64000: 64.0}, growth=1)
        found = ranks_model.predicted("tree", 128000, 2, linear, Link(latency_us=9, gb_per_s=1))
        self.assertAlmostEqual(found.compute, 64.0)
        # Latencies; 64,000 bodies come home; every fourth time half of them are dealt to the other rank.
        latencies, dealt = 4 * 0.009 + 49 * 0.005 + 6 * 0.020, 10 * 0.005 + 4 * 0.020 + 64e-3 * 0.5 * 48
        self.assertAlmostEqual(found.waiting, latencies + 64e-3 * 540 / 1500 + dealt / 4)
        slow_alone = OneRank({1000: 1.0, 2000: 1.5}, growth=1)
        self.assertAlmostEqual(ranks_model.predicted("tree", 2000, 2, slow_alone, NO_TIME).compute, 1.0)


def rounded(document):
    """With numbers to ten digits: the last ones are the mathematics library's."""
    return json.loads(json.dumps(document), parse_float=lambda digits: f"{float(digits):.10g}")


class Prediction(InFolder):
    def predict(self, text, tree=None):
        tree = self.write("ranks.json", text if tree is None else tree)
        return call(run_command, "ranks_prediction", ranks_prediction,
                    [str(self.write("bodies.json", text)), "--tree", str(tree)])

    def test_it_names_its_inputs_and_covers_what_is_measured_next(self):
        runs = [{"step": step, "bodies": bodies, "force_ms": {"median": 1e-6 * bodies**2}}
                for step in ("04_tuned", "05_triangular_map", "01_naive") for bodies in (1024, 16384)]
        alone = [{"bodies": bodies, "force_ms": {"median": 1e-3 * bodies}, "facts": {"ranks": 1},
                  "parameters": {"exchange": "tree"}} for bodies in (1024, 16384)]
        status, _, error = self.predict(json.dumps({"suite": {"commit": "c"}, "device": {"name": "d"}, "runs": runs}),
                                        json.dumps({"runs": alone}))
        self.assertEqual((status, error), (0, ""))
        made = json.loads((self.folder / "ranks_prediction.json").read_text())
        self.assertTrue(all("NCCL" in link["assumption"] for link in made["inputs"]["links"].values()))
        self.assertEqual({(row["exchange"], row["ranks"]) for row in made["measured_next"]},
                         {("gather", 2), ("ring", 2), ("pairs", 2), ("tree", 2)})
        self.assertEqual({row["ranks"] for row in made["on_paper"]}, {8, 64, 1024})

    def test_bad_input_gets_one_line(self):
        for text in ("", "[]", '{"runs": []}', '{"runs": [{"step": "04_tuned"}]}'):
            status, _, error = self.predict(text)
            self.assertEqual((status, error.count("\n")), (2, 1), error)

    def test_what_is_recorded_is_what_its_inputs_give(self):
        for file in ROOT.glob("docs/results/*/ranks_prediction.json"):
            recorded = json.loads(file.read_text())
            made = ranks_prediction.predictions(recorded["inputs"]["one_rank"]["force_ms"])
            self.assertEqual(rounded(made), rounded({name: recorded[name] for name in made}), file)

    def test_a_deal_is_shared_by_as_many_evaluations_as_in_the_program(self):
        self.assertEqual(f"kHeld = {ranks_model.HELD};",
                         re.search(r"kHeld = \d+;", (ROOT / "08_many_gpus/let/tree.cu").read_text())[0])


# On P of three GPUs perfect but for 10 us for each message; refuses one point.
FAKE_STEP = f"""import json, os, sys
from pathlib import Path
if "--help" in sys.argv:
    sys.exit(print("  --exchange VALUE   how: gather, ring, pairs or new (default: ring)"))
given = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
number, bodies = int(os.environ["RANKS"]), int(given["bodies"])
if (number, bodies, given["exchange"]) == (3, 16384, "pairs"):
    sys.exit(print("08_many_gpus: too few", file=sys.stderr) or 2)
ms = 1e-9 * bodies**2 / number + 0.01 * (number - 1)
run = {{"step": "08_many_gpus", "scene": "cube", "bodies": bodies, "precision": "fp32", "gflops": 1.0, "passed": True,
       "force_ms": {{"median": ms}}, "step_ms": {{"median": ms + 0.01}}, "facts": {{"ranks": number}},
       "parameters": {{"exchange": given["exchange"]}}, "parts_ms": {{"rank_0_compute": ms}}}}
if "--link" in sys.argv:
    run["parts_ms"].update({{f"message_of_{{size}}_bytes": 0.01 + 1e-6 * size / 400 for size in (16, 2**14, 2**24)}})
device = {{"name": f"{{number}} x Made-up" if number > 1 else "Made-up", "kind": "gpu", "fma_tflops": 50.0 * number}}
Path(given["json"]).write_text(json.dumps({{"suite": {{"commit": "made-up"}}, "device": device, "runs": [run]}}))
"""


@needs_matplotlib()
class Sweep(SweepTest):
    def test_three_gpus(self):
        build = self.folder / "gpu"
        mpirun = self.program("gpu/mpirun", FAKE_MPIRUN)
        self.program(f"gpu/{ranks.PROGRAM}", FAKE_STEP)
        self.write("gpu/CMakeCache.txt", f"MPIEXEC_EXECUTABLE:FILEPATH={mpirun}\n")
        self.write("gpu/build.ninja", f"build {ranks.PROGRAM}: X\n")
        with mock.patch.object(ranks, "gpus", return_value=3), mock.patch.object(ranks_points, "ALONE", (2**14, 2**16, 2**18, 2**20)):
            self.expect_no_error("ranks", "--build", build)
        made = json.loads((build / "sweeps" / "ranks.json").read_text())
        self.assertAlmostEqual(made["link"]["gb_per_s"], 400, 3)
        self.assertEqual(made["device"]["name"], "Made-up")
        # Two and three ranks, four rungs, four sizes and a weak one; one was refused.
        self.assertEqual((len(made["table"]), made["sweep"]["left_out"][0]["reason"]),
                         (2 * (4 * 4 + 4) - 1, "08_many_gpus: too few"))
        rows = {(row["exchange"], row["ranks"], row["bodies"]): row for row in made["table"]}
        large = rows["ring", 2, 2**20]
        self.assertAlmostEqual(large["speedup"], 2, 3)
        self.assertAlmostEqual(large["predicted_speedup"], large["speedup"], 3)
        self.assertIsNone(rows["new", 2, 2**20]["predicted_speedup"])
        self.assertEqual(sum(row["scaling"] == "weak" for row in made["table"]), 2 * 4)
        self.assertTrue((build / "sweeps" / "ranks.png").read_bytes().startswith(b"\x89PNG"))

    def test_bad_input_gets_one_line(self):
        self.expect_refusals(("ranks", "--build", "cpu", "--bodies=10"), ("ranks", "--from", "missing.json"))
