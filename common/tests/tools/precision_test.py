"""The sweeps of precision: FP64 beside FP32 with what a root takes, and step 03's study; on made-up programs."""

import json
import unittest
from pathlib import Path
from unittest import mock

from common.tests.tools.case import SweepTest, needs_matplotlib
from common.tools.ladder import sass
from common.tools.ladder.table import row_name, whole_table
from common.tools.sweeps import precision

PROGRAM = """import json, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
name = Path(sys.argv[0]).name
double = name.endswith("_fp64")
run = {"step": name, "bodies": int(options["bodies"]), "scene": "plummer", "precision": "fp64" if double else "fp32",
       "parameters": {"equal_masses": "used"} if name.startswith("05") else {}, "force_ms": {"median": 3.0 if double else 2.0},
       "error": {"median": 1e-15 if double else 1e-7}, "gflops": 1.0, "checked": True, "passed": True}
device = {"name": "Made-up GPU", "kind": "gpu", "cuda": "13.0"}
Path(options["json"]).write_text(json.dumps({"suite": {"commit": "c"}, "device": device, "runs": [run]}))
"""
MIXED = """import json, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
runs = [{"step": "03_mixed", "scene": "plummer", "bodies": int(options["bodies"]), "parameters": {"positions": p, "sums": s},
         "force_ms": {"median": 2.0}, "error": {"median": 1e-7, "max": 1e-6}, "passed": True}
        for p in ("fp32", "pairs", "fixed", "fp64") for s in ("plain", "compensated")]
device = {"name": "Made-up GPU", "kind": "gpu", "cuda": "13.0"}
Path(options["json"]).write_text(json.dumps({"suite": {"commit": "c"}, "device": device, "runs": runs}))
"""
# A loop of two interactions, each with five FP64 instructions for its root beside the twelve.
BODY = 2 * (["DADD"] * 3 + ["DFMA"] * 3 + ["MUFU.RSQ64H"] + ["DMUL"] * 2 + ["DFMA"] * 3 + ["DMUL"] * 3 + ["DFMA"] * 3 + ["LDS.128"])
LISTING = "\n".join(["code for sm_90", "Function : _ZN5nbody12forcesKernelILi1EEEv"]
                    + [f"        /*{16 * k:04x}*/  {name} R0, R1 ;" for k, name in enumerate(BODY)]
                    + [f"        /*{16 * len(BODY):04x}*/  @P0 BRA 0x0 ;"])


class Roots(unittest.TestCase):
    def test_what_is_beyond_the_formula_is_the_root(self):
        self.assertEqual(precision.root_instructions(sass.parse(LISTING)), 5)
        self.assertIsNone(precision.root_instructions(sass.parse(LISTING.replace("MUFU.RSQ64H", "MUFU.RSQ"))))


@needs_matplotlib()
class Sweeps(SweepTest):
    def setUp(self):
        super().setUp()
        self.gpu = self.folder / "gpu"
        for step in ("03_unrolled", "05_triangular_map"):
            for name in (step, f"{step}_fp64"):
                self.program(f"gpu/{step}/{name}", PROGRAM)
        self.program(f"gpu/{precision.MIXED}", MIXED)
        self.enterContext(mock.patch.multiple(precision, kernel_steps=lambda: ["03_unrolled", "05_triangular_map"],
                                              programs_of=lambda step: [step]))

    def document(self, name):
        return json.loads((self.gpu / "sweeps" / f"{name}.json").read_text())

    def test_fp64_beside_fp32(self):
        with mock.patch.multiple(sass, have_disassembler=lambda: True, kernels_of=lambda build, program: sass.parse(LISTING)):
            self.expect_no_error("fp64", "--build", self.gpu)
        rows = self.document("fp64")["table"]
        self.assertEqual(len(rows), 4)
        self.assertEqual((rows[0]["step"], rows[0]["slowdown"], rows[0]["root_instructions"]), ("03_unrolled", 1.5, 5))
        self.assertNotIn("root_instructions", rows[1])  # step 05's loop is of pairs
        self.assertEqual(row_name(rows[1]), "05_triangular_map, equal masses")
        self.assertTrue((self.gpu / "sweeps" / "fp64.png").read_bytes().startswith(b"\x89PNG"))
        runs = [run for run in self.document("fp64")["runs"] if run["precision"] == "fp32"]
        columns, (first, *_) = whole_table(runs, {(row_name(row), row["bodies"]): row for row in rows})
        self.assertEqual(columns[-3:], ["FP64 ms", "FP64 / FP32", "check"])
        self.assertEqual(first[-3:], ["3.00", "1.50", "ok"])

    def test_errors_against_times(self):
        self.expect_no_error("mixed", "--build", self.gpu)
        self.assertEqual(len(self.document("mixed")["runs"]), 16)
        self.assertTrue((self.gpu / "sweeps" / "mixed.png").read_bytes().startswith(b"\x89PNG"))
        self.assertIn("pairs", Path(self.gpu / "sweeps" / "mixed.csv").read_text())

    def test_bad_input(self):
        self.expect_refusals(("fp64", "--build", self.folder / "cpu"), ("fp64", "--build", self.gpu, "--bodies=7"),
                             ("mixed", "--build", self.gpu, "--bodies=many"))
