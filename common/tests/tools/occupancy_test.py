"""./run occupancy and ./run profile: the rules of allocation against cases worked out by hand and NVIDIA's own header, and the
text of ptxas and ncu as numbers."""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT, CommandFailed, run_command
from common.tests.tools.case import InFolder, call
from common.tools import packages
from common.tools.docs import tables
from common.tools.docs.results import Results
from common.tools.ladder import occupancy, profile
from common.tools.ladder.occupancy import LIMITS, blocks, warps

SYMBOL = "_ZN5nbody12forcesKernelILi64ELi2EEEvPK6float4ifPS1_"
SAID = f"""ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN5nbody11clearKernelEPfi' for 'sm_90'
ptxas info    : Function properties for _ZN5nbody11clearKernelEPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
ptxas info    : Compiling entry function '{SYMBOL}' for 'sm_120'
ptxas info    : Used 61 registers, used 1 barriers, 8192 bytes smem
"""
PROGRAM = f"""kernel = {{"name": "forcesKernel<64, 2>", "symbol": "{SYMBOL}", "grid": [256, 1, 1], "block": [512, 1, 1],
          "registers": 61, "static_shared_bytes": 0, "dynamic_shared_bytes": 8192, "local_bytes": 0,
          "blocks_per_multiprocessor": 2, "warps_per_multiprocessor": 32}}
runs = [run_of(name, given["bodies"], kernels=[dict(kernel, name="clearKernel"), kernel])]
"""
PROFILED = """masses = {"equal_masses": given["equal-masses"]} if "equal-masses" in given else {}
runs = [run_of(name, given["bodies"], parameters=masses, parts_ms={"fused_walk": 1.0, "walk": 0.5})]
"""


class Rules(unittest.TestCase):
    def test_cases_worked_out_by_hand(self):
        for case, expected in (
                # 61 registers take 64 x 32 = 2,048 a warp: 8 warps in each quarter's 16,384, 32 in all, 16 a block.
                (("9.0", 61, 8192, 512), 2),
                # 79 take 80 x 32 = 2,560: 6 warps in a quarter, 24 in all, 8 a block. By whole registers it would be 25.
                (("9.0", 79, 4096, 256), 3),
                # 40 take 1,280: 12 in a quarter, 48 in all, which are also all that there may be.
                (("8.6", 40, 0, 128), 12),
                # Few registers: the number of blocks is the limit, 16 of two warps each.
                (("7.5", 16, 0, 64), 16),
                # 100 KiB and the system's 1 KiB, of 228 KiB.
                (("9.0", 32, 100 << 10, 128), 2),
                # 1,000 bytes and 1,024 take 2,048 in units of 128: 114 blocks, of which 32 may be there.
                (("9.0", 16, 1000, 32), 32),
                # 40 KiB on a GPU with 100: 102,400 / 41,984.
                (("8.9", 32, 40 << 10, 128), 2),
                # 72 x 32 = 2,304 a warp, and 32 warps: more than the 65,536 that there are.
                (("9.0", 72, 0, 1024), 0)):
            self.assertEqual(blocks(*case), expected, case)
        self.assertEqual(warps("9.0", 61, 8192, 512), 32)
        self.assertEqual(warps("9.0", 32, 0, 33), 64)  # a block of 33 threads has two warps

    def test_nvidias_own_header_says_the_same(self):
        header = Path("/usr/local/cuda/include/cuda_occupancy.h")
        if not header.exists() or not shutil.which("g++"):
            self.skipTest("no CUDA toolkit, whose cuda_occupancy.h it is")
        cases = [(capability, registers, shared, threads) for capability in LIMITS for registers, shared, threads in
                 itertools.product((16, 33, 61, 79, 127, 200, 255), (0, 1000, 8192, 33000), (32, 64, 96, 256, 512, 1024))]
        lines = []
        for capability, registers, shared, threads in cases:
            limits = LIMITS[capability]
            lines.append(" ".join(map(str, (*capability.split("."), limits.warps, limits.blocks, limits.shared,
                                            limits.reserved, registers, shared, threads))))
        folder = self.enterContext(tempfile.TemporaryDirectory())
        program = Path(folder) / "header"
        source = ROOT / "common" / "tests" / "tools" / "occupancy_header.cpp"
        subprocess.run(["g++", "-w", "-I", header.parent, source, "-o", program], check=True)
        said = subprocess.run([program], input="\n".join(lines), text=True, capture_output=True, check=True).stdout.split()
        self.assertEqual(len(said), len(cases))
        for case, theirs in zip(cases, map(int, said)):
            self.assertEqual(blocks(*case), theirs, case)


class Command(InFolder):
    def setUp(self):
        super().setUp()
        self.names = [("03_unrolled", "03_unrolled"), ("05_triangular_map", "05_triangular_map")]
        for step, name in self.names:
            self.reporter(f"{step}/{name}", PROGRAM, compute_capability="9.0")
        self.enterContext(mock.patch.multiple(
            occupancy, built=lambda preset, *targets: self.folder, kernel_steps=lambda: [step for step, _ in self.names],
            compiled=lambda build, program, capability: occupancy.registers_in(SAID), capabilities=lambda: ["9.0", "12.0"]))

    def test_registers_of_what_ptxas_says(self):
        self.assertEqual(occupancy.registers_in(SAID), {("_ZN5nbody11clearKernelEPfi", "9.0"): 10, (SYMBOL, "12.0"): 61})

    def test_the_record_has_the_driver_and_the_rule(self):
        status, out, error = call(run_command, "occupancy", occupancy, ["--preset=gpu"])
        self.assertEqual((status, error), (0, ""), out)
        document = json.loads((self.folder / "occupancy" / "occupancy.json").read_text())
        run = document["runs"][0]
        self.assertEqual(run["kernel"]["name"], "forcesKernel<64, 2>")
        self.assertEqual(run["rule_agrees"], True)
        # 48 warps a multiprocessor, 32 by registers, 16 in a block.
        self.assertEqual(run["capabilities"], {"12.0": {"registers": 61, "blocks": 2, "warps": 32}})
        self.assertRegex(out, r"03_unrolled +61 +8192 +2 +32 +yes\n")
        self.assertIn('<td class="figure">61: 32</td>', tables.occupancy(Results(self.folder / "occupancy")))

    def test_a_gpu_is_needed(self):
        with mock.patch.object(occupancy, "preset_of", lambda options: "cpu"):
            status, out, error = call(run_command, "occupancy", occupancy, [])
        self.assertEqual((status, out, error), (2, "", "occupancy: needs a GPU: the CPU executor has no registers\n"))


class Compiler(unittest.TestCase):
    def test_it_is_asked_for_known_gpus_alone(self):
        if not packages.find_cuda_tool("nvcc"):
            self.skipTest("no CUDA toolkit")
        self.assertIn("9.0", occupancy.capabilities())


def made_up_report(**values):
    """As ncu prints it, of all that is asked for."""
    values = {"duration_ns": "1,000,000", "cycles": "2,000,000", **values}
    lines = [f"    {metric:76} {'ns':>11} {values.get(name, '12.50'):>13}" for name, metric in profile.METRICS.items()]
    return ("==PROF== Connected\n  void forcesKernel<64, 2>(const float4 *, int, float, float4 *) (256, 1, 1)x(512, 1, 1), "
            "Context 1, Stream 13, Device 0, CC 9.0\n" + "\n".join(lines) + "\n")


class Texts(unittest.TestCase):
    def test_recorded_texts_are_read(self):
        text = (ROOT / "docs/results/h200/ncu_03_262144.txt").read_text()
        with self.assertRaisesRegex(CommandFailed, "no duration"):  # it was not asked for then
            profile.parsed(text)
        line = f"    {profile.METRICS['duration_ns']}  ns  33,180,000\n"
        found = profile.parsed(text + line)
        self.assertEqual((found["kernel"], found["grid"], found["block"]), ("forcesKernel<64, 2>", [256, 1, 1], [512, 1, 1]))
        self.assertEqual(found["metrics"]["issue_active"], 86.88)
        self.assertEqual(found["metrics"]["cycles_active"], 63523482.62)
        self.assertEqual(found["metrics"]["stalled_mio_throttle"], 0.46)
        self.assertEqual(found["metrics"]["duration_ns"], 33180000)

    def test_a_metric_that_the_gpu_lacks_is_left_out(self):
        found = profile.parsed(made_up_report(dram_bytes="n/a", xu_pipe="nan"))["metrics"]
        self.assertEqual({*profile.METRICS} - {*found}, {"dram_bytes", "xu_pipe"})

    def test_two_kernels_are_refused(self):
        with self.assertRaisesRegex(CommandFailed, "2 kernels"):
            profile.parsed(2 * made_up_report())


class Profile(InFolder):
    def setUp(self):
        super().setUp()
        some = {"ncu_warm_01_262144", "ncu_warm_03_262144", "ncu_warm_04_tuned_262144", "ncu_warm_05_262144_used",
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
        status, out, error = self.call()
        self.assertEqual((status, error), (0, ""), out)
        runs = {run["report"]: run for run in self.document()["runs"]}
        self.assertEqual(len(runs), len(profile.POINTS))
        run = runs["ncu_warm_03_262144"]
        self.assertEqual((run["ncu_ms"], run["program_ms"], run["ncu_over_program"]), (1, 2, 0.5))
        self.assertEqual((run["ncu_ghz"], run["ncu_over_program_same_clock"], run["agrees"]), (2, 0.5, False))
        tree = runs["ncu_warm_06_262144"]  # compared with the walk, not with the whole evaluation
        self.assertEqual((tree["program_ms"], tree["agrees"]), (1, True))
        self.assertIn("ncu_warm_05_262144_used", runs)
        text = (self.folder / "profile" / "ncu_warm_03_262144.txt").read_text()
        self.assertRegex(text, r"^# ncu --cache-control none --clock-control none .* 03_unrolled --bodies=262144 --steps=0 "
                               r"--no-check; commit made-up\n")

    def test_some_steps_alone(self):
        self.assertEqual(self.call("03", "04_tuned")[0], 0)
        self.assertEqual([run["step"] for run in self.document()["runs"]], ["03_unrolled", "04_tuned"])

    def test_what_ncu_refuses_is_said_and_nothing_is_recorded(self):
        self.write("report.txt", "==ERROR== ERR_NVGPUCTRPERM - no permission")
        with mock.patch.object(profile.record, "keep") as keep:
            status, _, error = self.call("--record")
        self.assertEqual((status, keep.called), (1, False))
        self.assertIn("ncu_warm_01_262144: ncu of 01_naive: ==ERROR== ERR_NVGPUCTRPERM - no permission\n", error)

    def test_bad_input_gets_one_line_and_status_2(self):
        for words in (["09"], ["03", "--record"], ["--preset=cpu"]):
            status, out, error = self.call(*words)
            self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        with mock.patch.object(profile.packages, "find_cuda_tool", lambda name: None):
            self.assertEqual(self.call()[0], 2)

    def test_the_pages_table_is_of_the_record(self):
        self.call()
        table = tables.profile(Results(self.folder / "profile"))
        self.assertIn("<td>05_triangular_map, equal masses</td>", table)
        self.assertIn('<td class="figure">12.5</td>', table)
