"""./run profile --occupancy and ./run profile, on made-up programs and a made-up ncu."""

import json
import os
from unittest import mock

from common.base.command_line import run_command
from common.tests.tools.case import InFolder, call
from common.tools.docs import tables
from common.tools.docs.results import Results
from common.tools.ladder import occupancy, profile

PROGRAM = """kernel = {"name": "forcesKernel<64, 2>", "grid": [256, 1, 1], "block": [512, 1, 1],
          "registers": 61, "static_shared_bytes": 0, "dynamic_shared_bytes": 8192, "local_bytes": 0,
          "blocks_per_multiprocessor": 2, "warps_per_multiprocessor": 32}
runs = [run_of(name, given["bodies"], kernels=[dict(kernel, name="clearKernel"), kernel])]
"""
PROFILED = """masses = {"equal_masses": given["equal-masses"]} if "equal-masses" in given else {}
runs = [run_of(name, given["bodies"], parameters=masses, parts_ms={"fused_walk": 1.0, "walk": 0.5})]
"""


class Command(InFolder):
    def setUp(self):
        super().setUp()
        steps = ["03_unrolled", "05_triangular_map"]
        for step in steps:
            self.reporter(f"{step}/{step}", PROGRAM, compute_capability="9.0")
        self.enterContext(mock.patch.multiple(
            occupancy, built=lambda preset, *targets: self.folder, kernel_steps=lambda: steps))

    def test_the_record_has_what_the_driver_says_of_the_force_kernel(self):
        out = self.expect_success(call(run_command, "occupancy", occupancy, ["--preset=gpu"]))
        document = json.loads((self.folder / "occupancy" / "occupancy.json").read_text())
        run = document["runs"][0]
        self.assertEqual(run["kernel"]["name"], "forcesKernel<64, 2>")
        self.assertRegex(out, r"03_unrolled +61 +8192 +2 +32\n")
        self.assertIn('<td class="figure">8,192</td>', tables.occupancy(Results(self.folder / "occupancy")))


def made_up_report(**values):
    """A report like ncu's, with all that is asked for."""
    values = {"duration_ns": "1,000,000", "cycles": "2,000,000", **values}
    lines = [f"    {metric:76} {'ns':>11} {values.get(name, '12.50'):>13}" for name, metric in profile.METRICS.items()]
    return ("==PROF== Connected\n  void forcesKernel<64, 2>(const float4 *, int, float, float4 *) (256, 1, 1)x(512, 1, 1), "
            "Context 1, Stream 13, Device 0, CC 9.0\n" + "\n".join(lines) + "\n")


class Profile(InFolder):
    def setUp(self):
        super().setUp()
        some = {"ncu_warm_09_tuned_262144_cube", "ncu_warm_01_262144", "ncu_warm_03_262144", "ncu_warm_04_tuned_262144", "ncu_warm_05_262144_used",
                "ncu_warm_06_262144"}
        points = [point for point in profile.POINTS if point.name in some]
        self.assertEqual(len(points), len(some))
        self.enterContext(mock.patch.object(profile, "POINTS", points))
        for point in points:
            self.reporter(point.program, PROFILED, fma_clock_ghz=2.0)
        self.write("report.txt", made_up_report())
        self.ncu = self.program("bin/ncu", f"print(open('{self.folder}/report.txt').read())")
        self.enterContext(mock.patch.dict(os.environ, PATH=f"{self.ncu.parent}:{os.environ['PATH']}"))
        self.enterContext(mock.patch.object(profile, "built", lambda preset, *targets: self.folder))

    def call(self, *words):
        return call(run_command, "profile", profile, ["--preset=gpu", *words])

    def document(self):
        return json.loads((self.folder / "profile" / "profile.json").read_text())

    def test_a_point_has_both_times_and_its_text(self):
        self.expect_success(self.call())
        runs = {run["report"]: run for run in self.document()["runs"]}
        self.assertEqual(len(runs), len(profile.POINTS) - 1)
        self.assertNotIn("ncu_warm_09_tuned_262144_cube", runs)
        self.assertTrue((self.folder / "profile" / "ncu_warm_09_tuned_262144_cube.txt").exists())
        run = runs["ncu_warm_03_262144"]
        self.assertEqual((run["ncu_ms"], run["program_ms"], run["ncu_over_program"]), (1, 2, 0.5))
        self.assertEqual((run["ncu_ghz"], run["ncu_over_program_same_clock"], run["agrees"]), (2, 0.5, False))
        tree = runs["ncu_warm_06_262144"]  # compared with the walk, not with the whole evaluation
        self.assertEqual((tree["program_ms"], tree["agrees"]), (1, True))
        self.assertIn("ncu_warm_05_262144_used", runs)
        text = (self.folder / "profile" / "ncu_warm_03_262144.txt").read_text()
        self.assertRegex(text, r"^# ncu --cache-control none --clock-control none .* 03_unrolled --bodies=262144 --steps=0 "
                               r"--no-check; commit made-up\n")

    def test_what_ncu_refuses_is_said_and_nothing_is_recorded(self):
        self.write("report.txt", "==ERROR== ERR_NVGPUCTRPERM - no permission")
        with mock.patch.object(profile.store, "keep") as keep, mock.patch.object(profile.store, "prepare"):
            status, _, error = self.call("--record")
        self.assertEqual((status, keep.called), (1, False))
        self.assertIn("ncu_warm_01_262144: ncu of 01_naive: ==ERROR== ERR_NVGPUCTRPERM - no permission\n", error)

    def test_bad_input_gets_one_line_and_status_2(self):
        for words in (["10"], ["03", "--record"], ["--preset=cpu"]):
            self.expect_refusal(self.call(*words))
        with mock.patch.object(profile.packages, "find_cuda_tool", lambda name: None):
            self.assertEqual(self.call()[0], 2)
