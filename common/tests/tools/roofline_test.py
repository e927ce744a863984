"""The roofline: FLOP and bytes of a profile's counters, the roof above a point, the figure."""

import json
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import BadInput
from common.tests.tools.case import SweepTest, needs_matplotlib
from common.tools.sweeps import roofline

METRICS = {"fadd": 3e9, "fmul": 3e9, "ffma": 6e9, "xu_instructions": 1e9 / 32, "shared_wavefronts": 1e7, "l2_bytes": 1.6e8,
           "dram_bytes": 0.0}
DEVICE = {"name": "Made-up GPU", "kind": "gpu", "fma_tflops": 60.0}

PROGRAM = f"""import json, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
runs = [{{"step": "ceilings", "memory": name, "gb_per_s": rate, "bytes": 1, "passed": True}}
        for name, rate in (("shared", 30000.0), ("l2", 5000.0), ("dram", 4000.0))]
Path(options["json"]).write_text(json.dumps({{"suite": {{"commit": "c"}}, "device": {DEVICE!r}, "runs": runs}}))
"""


def profiled(bodies=262144, **metrics):
    return {"step": "03_unrolled", "bodies": bodies, "parameters": {}, "ncu_ms": 1.0, "metrics": {**METRICS, **metrics}}


class Arithmetic(unittest.TestCase):
    def test_a_point(self):
        point = roofline.row(profiled())
        self.assertAlmostEqual(point["tflops"], 19)  # 3 + 3 + 12 + 1 billion in a millisecond
        self.assertAlmostEqual(point["flop_per_byte_shared"], 19e9 / 1.28e9)
        self.assertAlmostEqual(point["flop_per_byte_l2"], 118.75)
        self.assertNotIn("flop_per_byte_dram", point)  # nothing was read: no roof

    def test_the_lowest_roof_counts(self):
        ceilings = {"shared": 1000.0, "l2": 5000.0, "dram": 4000.0}
        self.assertEqual(roofline.attainable(DEVICE, ceilings, {"flop_per_byte_shared": 10}), (10.0, "shared"))
        self.assertEqual(roofline.attainable(DEVICE, ceilings, {"flop_per_byte_shared": 100}), (60.0, "FMA"))


@needs_matplotlib()
class Figure(SweepTest):
    def test_it_is_measured_with_the_last_profile_and_drawn(self):
        self.program("gpu/common/ceilings", PROGRAM)
        with mock.patch.object(roofline, "ROOT", self.folder):
            self.expect_refusals(("roofline", "--build", self.folder / "gpu"))
            self.write("gpu/profile/profile.json", json.dumps({"runs": [profiled(), profiled(bodies=1024),
                                                                        profiled(dram_bytes=1e6)]}))
            self.expect_no_error("roofline", "--build", self.folder / "gpu")
        stem = Path(self.folder / "gpu" / "sweeps" / "roofline")
        self.assertEqual(len(json.loads(stem.with_suffix(".json").read_text())["table"]), 2)
        self.assertTrue(stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG"))
        self.assertIn("attainable_tflops", stem.with_suffix(".csv").read_text())

    def test_a_recorded_profile_will_do(self):
        self.write("docs/results/made-up-gpu/profile.json", json.dumps({"runs": [profiled()]}))
        with mock.patch.object(roofline, "ROOT", self.folder):
            self.assertEqual(len(roofline.profile_of(self.folder, DEVICE)), 1)
            with self.assertRaises(BadInput):
                roofline.profile_of(self.folder, {"name": "Other"})

    def test_bad_input(self):
        self.expect_refusals(("roofline", "--build", self.folder / "cpu"),
                             ("roofline", "--build", self.folder / "gpu", "--scene=cube"))
