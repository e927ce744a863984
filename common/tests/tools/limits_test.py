"""What limits a loop on each architecture, on listings in cuobjdump's form with code for several."""

import json
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import run_command
from common.tests.tools.case import InFolder, call
from common.tools.ladder import limits, pages, sass

SM90 = Path(__file__).with_name("instructions_test.sass").read_text()  # 4 interactions: 57 instructions, 48 of FP32, 4 MUFU
SM75 = SM90.replace("sm_90", "sm_75").replace("SM90", "SM75")
NAME = "_ZN5nbody12forcesKernelILi8ELi4EEEvPK6float4ifPS1_"
# As cuobjdump begins the code of each architecture in an object file.
FAT = "\nFatbin elf code:\n================\narch = {0}\ncode version = [1,7]\nhost = linux\ncompile_size = 64bit\n\n{1}"
RUN = {"step": "03_unrolled", "parameters": {"unroll": 8, "bodies_per_thread": 4}, "instructions": {"kernel": NAME}}


class Limits(unittest.TestCase):
    def found(self, architecture, **changes):
        counts = sass.Counter({"FADD": 12, "FMUL": 12, "FFMA": 24, "MUFU": 4, "MUFU.RSQ": 4, "integer": 5, **changes})
        return limits.limits(counts, architecture)

    def test_the_widths_of_the_architectures(self):
        for architecture, limit, rate in ((90, "issue slots", 128 / 14.25), (86, "issue slots", 128 / 14.25),
                                          (75, "FP32 lanes", 64 / 12), (80, "FP32 lanes", 64 / 12),
                                          (60, "issue slots", 64 / 14.25)):
            found = self.found(architecture)
            self.assertEqual((found["limit"], round(found["interactions_per_cycle"], 9)), (limit, round(rate, 9)), architecture)
            self.assertAlmostEqual(found["gflops_per_ghz"], 20 * rate)

    def test_roots_can_be_the_limit(self):
        found = self.found(90, FADD=0, FMUL=0, FFMA=4)
        self.assertEqual((found["limit"], found["interactions_per_cycle"]), ("MUFU", 16))

    def test_every_architecture_of_an_object(self):
        kernels = sass.parse(FAT.format("sm_75", SM75) + FAT.format("sm_90", SM90))
        found = limits.counted(RUN, NAME, kernels)["architectures"]
        self.assertEqual([(each["architecture"], each["limit"]) for each in found], [(75, "FP32 lanes"), (90, "issue slots")])
        with self.assertRaisesRegex(sass.SassError, "has no other"):
            limits.counted(RUN, "other", kernels)


class TheCommand(InFolder):
    def setUp(self):
        super().setUp()
        recorded = mock.Mock(counts=[{"runs": [RUN]}])
        self.program("nvcc", "print('Cuda compilation tools, release 12.5, V12.5.82')")
        self.write("-sass", FAT.format("sm_75", SM75) + FAT.format("sm_90", SM90))
        self.list_elf(75, 90)
        self.write("build.ninja")  # of a build without MPI
        self.program("cuobjdump", f"import sys; print(open({str(self.folder)!r} + '/' + sys.argv[1]).read())")
        for program in limits.release_programs(self.folder):
            self.program(f"{program[:2]}_step/{program}", "")
        for target, name, value in ((limits, "Recorded", lambda _: recorded), (limits, "configured", lambda _: self.folder),
                                    (limits, "Build", mock.Mock()), (pages, "LIMITS", self.folder / "recorded.json"),
                                    (limits.record, "write", lambda _: []),
                                    (limits.packages, "find_cuda_tool", lambda name: self.folder / name)):
            self.enterContext(mock.patch.object(target, name, value))

    def call(self, *words):
        return call(run_command, "limits", limits, words)

    def list_elf(self, *architectures):
        """As cuobjdump does of a program that has several files' code."""
        self.write("--list-elf", "".join(f"ELF file    {n}: forces.{n}.sm_{each}.cubin\n"
                                         for n, each in enumerate([*architectures, architectures[0]], 1)))

    def test_a_row_for_each_architecture(self):
        status, out, error = self.call("03")
        self.assertEqual((status, error), (0, ""))
        rows = [line.strip("| ").split(" | ") for line in out.splitlines() if line.startswith("| 03")]
        self.assertEqual([(row[1], row[11], row[12]) for row in rows],
                         [("sm_75 (T4, RTX 20)", "FP32 lanes", "5.33"), ("sm_90 (H100, H200)", "issue slots", "8.98")])
        self.assertEqual(json.loads((self.folder / "limits.json").read_text())["cuda"], "12.5")

    def test_what_is_recorded_is_what_the_page_shows(self):
        self.assertEqual(pages.limits_section(None), "Nothing is recorded of this.")
        self.assertEqual(self.call("--record")[0], 0)
        shown = pages.limits_section(None)
        self.assertIn("CUDA 12.5, commit ", shown)
        self.assertIn("programs have machine code for sm_75 and sm_90", shown)
        self.assertIn("$ cuobjdump --list-elf 01_naive_fp64\nELF file    1: forces.1.sm_75.cubin\n",
                      (self.folder / "recorded.txt").read_text())
        self.assertIn("| GPU | limit | 03 |", shown)
        self.assertIn("| sm_75 (T4, RTX 20) | FP32 lanes | 107 |\n| sm_90 (H100, H200) | issue slots | 180 |", shown)

    def test_a_program_that_lacks_an_architecture_is_not_recorded(self):
        self.list_elf(75, 100)
        status, _, error = self.call("--record")
        self.assertEqual((status, error.splitlines()[-1]), (1, "limits: 01_naive has no machine code for sm_90"))
        self.assertFalse(pages.LIMITS.exists())

    def test_bad_input(self):
        for words, complaint in ((["99"], "no counts are recorded for a step '99'; there are 03_unrolled"),
                                 (["03", "--record"], "--record keeps all steps together")):
            status, _, error = self.call(*words)
            self.assertEqual((status, error.count("\n")), (2, 1))
            self.assertIn(complaint, error)
        with mock.patch.object(limits.packages, "find_cuda_tool", lambda name: None):
            self.assertIn("needs nvcc and cuobjdump", self.call()[2])
