"""Counting instructions, on a piece of a kernel's machine code for sm_90: unroll 8 with 4 bodies per thread, its
unrolled loop left out, so that the loop over the rest of a tile is the only one inside the loop over tiles (4 interactions: 57
instructions, 48 of FP32, 4 MUFU); and what limits a loop on each architecture, on listings with code for several."""

import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import run_command
from common.tests.tools.case import CommandTest, InFolder, call, made_up, run_of, timed_run
from common.tools.ladder import instructions, limits, pages, sass, table
from common.tools.testing import sanitize

LISTING = Path(__file__).with_suffix(".sass").read_text()
REST = {"FADD": 12, "FMUL": 12, "FFMA": 24, "MUFU": 4, "MUFU.RSQ": 4, "LDS": 1, "integer": 3, "control": 1}
# A loop with two rsqrt.
TWO_ROOTS = """
	code for sm_75
		Function : _ZN5nbody12forcesKernelEPK6float4ifPS0_
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/                   LDG.E.128.SYS R4, [R2] ;
        /*0020*/                   MUFU.RSQ R8, R4 ;
        /*0030*/                   MUFU.RSQ R9, R5 ;
        /*0040*/                   FFMA.FTZ R10, R8, R9.reuse, R10 ;
        /*0050*/              @!P0 BRA 0x10 ;
        /*0060*/                   BRA 0x60;
"""
SM75 = LISTING.replace("sm_90", "sm_75").replace("SM90", "SM75")
NAME = "_ZN5nbody12forcesKernelILi8ELi4EEEvPK6float4ifPS1_"
# The lines with which cuobjdump begins the code of each architecture in an object file.
FAT = "\nFatbin elf code:\n================\narch = {0}\ncode version = [1,7]\nhost = linux\ncompile_size = 64bit\n\n{1}"
RUN = {"step": "03_unrolled", "parameters": {"unroll": 8, "bodies_per_thread": 4}, "instructions": {"kernel": NAME}}


class Counting(unittest.TestCase):
    def test_kernel(self):
        (kernel,) = sass.parse(LISTING)
        self.assertEqual(kernel.architecture, 90)
        # Over tiles and over sources; not the branch to itself after the end.
        self.assertEqual(sorted(kernel.branches_back()), [(0x310, 0x2360), (0x1FB0, 0x2330)])
        self.assertEqual(kernel.force_loop(), REST)

    def test_loads_from_global_memory(self):
        (kernel,) = sass.parse(TWO_ROOTS)
        self.assertEqual(kernel.architecture, 75)
        self.assertEqual(kernel.force_loop(), {"LDG": 1, "MUFU": 2, "MUFU.RSQ": 2, "FFMA": 1, "control": 1})

    def test_issue_slots(self):
        found = instructions.analysis(sass.Counter(REST), 128)
        self.assertEqual(found["loop"]["instructions"], 57)
        self.assertEqual(found["issue_slots"], 57 / 4)
        self.assertEqual(found["issue_cycles"], 57 / 4)
        self.assertEqual(found["per_interaction"]["FFMA"], 6)
        # 64 lanes: 48 FP32 instructions of two cycles hide the rest's issue.
        self.assertEqual(instructions.analysis(sass.Counter(REST), 64)["issue_cycles"], 96 / 4)
        self.assertIn(["multiply-adds", "24", "6.00", "24.0", "20"],
                      [line.split() for line in instructions.table(found).splitlines()])


class Choosing(unittest.TestCase):
    # After the values of the options, an argument may follow that is no option.
    FOLLOWED = LISTING.replace("ILi8ELi4E", "ILi8ELi4ELb1E")

    def test_the_kernel_has_the_values_of_the_options(self):
        for listing, values, name in (
                (LISTING + LISTING.replace("ILi8ELi4E", "ILi16ELi4E"), [16, 4], "ILi16E"),
                (LISTING.replace("_ZN5nbody12forces", "_ZN5nbody4fp3210triangular12forces"), [8, 4], "triangular"),
                (self.FOLLOWED, [8, 4], "Lb1E")):
            self.assertIn(name, sass.forces_kernel(sass.parse(listing), values).name)
        self.assertEqual(sass.forces_kernel(sass.parse(TWO_ROOTS), [], 75).architecture, 75)

    def test_fp64_has_no_such_loop(self):
        (kernel,) = sass.parse(TWO_ROOTS.replace("MUFU.RSQ", "MUFU.RSQ64H"))
        with self.assertRaisesRegex(sass.SassError, "no loop with MUFU.RSQ"):
            kernel.force_loop()


class Prediction(unittest.TestCase):
    def document(self):
        parameters = {"bodies_per_thread": 4, "block": 256, "unroll": 8}
        return made_up([run_of("03_unrolled", 1000, parameters=parameters, gflops=17964.91)],
                       compute_capability="9.0", fma_clock_ghz=2.0, multiprocessors=100)

    def test_prediction(self):
        document = self.document()
        with mock.patch.object(sass, "kernels_of", return_value=sass.parse(LISTING)), \
                mock.patch.object(sass, "have_disassembler", return_value=True):
            instructions.predict(Path("03_unrolled"), document)
        run = document["runs"][0]
        self.assertEqual(run["issue_slots"], 14.25)
        self.assertAlmostEqual(run["predicted_gflops"], 2.0 * 100 * 128 / 14.25 * 20)
        self.assertAlmostEqual(run["predicted_share"], 0.5, places=4)
        cells = table.cells(run, [run])
        self.assertEqual(cells[table.COLUMNS.index("ceiling")], "35,930")
        self.assertEqual(cells[table.COLUMNS.index("% of ceiling")], "50.0")

    def test_executed_flop_stand_beside_those_of_the_convention(self):
        each = {"FADD": 1.5, "FMUL": 1.0, "FFMA": 4.5, "MUFU": 0.5, "LDS": 0.0625, "LDG": 0.0, "SHFL": 0.1875}
        run = {"step": "05_triangular_map", "parameters": {"equal_masses": "used"}, "flop_per_interaction": 20,
               "gflops": 100.0, "fma_share": 1.05, "issue_slots": 7.75, "predicted_gflops": 120.0, "predicted_share": 0.8,
               "instructions": {"per_interaction": each}}
        shown = dict(zip(table.INSTRUCTION_COLUMNS, table.instruction_cells(run)))
        self.assertEqual((shown["step"], shown["FLOP executed"], shown["executed GFLOP/s"], shown["% FMA executed"]),
                         ("05_triangular_map, equal masses", "12", "60", "63.0"))


class Trees(unittest.TestCase):
    def test_a_tree_has_a_time_but_no_rates(self):
        runs = [timed_run("simd", 8.0), timed_run("host_tree", 4.0, parts_ms={"build": 1.0, "walk_and_forces": 3.0}),
                timed_run("06_tree_walk", 0.5, parts_ms={"first_walk": 0.25})]
        cells = dict(zip(table.COLUMNS, table.cells(runs[2], runs)))
        self.assertEqual((cells["time ms"], cells["x simd"], cells["x host_tree"]), ("0.500", "16.0", "8.00"))
        self.assertEqual({cells[name] for name in ("interactions/s", "GFLOP/s", "% FMA")}, {"-"})


class Errors(CommandTest):
    @mock.patch.object(sass, "have_disassembler", mock.Mock(return_value=None))
    def test_bad_input_gets_one_line(self):
        for arguments, words in ((["99"], "no step '99'; there are 01_naive"), (["01", "--preset", "cpu"], "invalid choice: 'cpu' (choose from "),
                                 (["01_naive_fp64"], "only FP32 is counted"), ([], "NN"),
                                 (["01", "--preset=gpu"], "cuobjdump is not installed")):
            self.expect_refusal(call(run_command, "instructions", instructions, arguments), words)


class Sanitizer(InFolder):
    def test_verdict(self):
        passed = "All tests passed (40 assertions in 4 test cases)\n"
        for text, status, found in (
            (passed + "========= ERROR SUMMARY: 0 errors", 0, None),
            (passed + "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)", 0, None),
            (passed + "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)", 0, "1 findings"),
            (passed + "========= ERROR SUMMARY: 3 errors", 99, "3 findings"),
            (passed, 0, "the tool did not report"),
            ("No test cases matched\n========= ERROR SUMMARY: 0 errors", 0, "the tests failed, status 0"),
            ("", None, "stopped after 600 s of processor time"),
        ):
            self.assertEqual(sanitize.verdict(text, status), found)


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


class LimitsCommand(InFolder):
    def setUp(self):
        super().setUp()
        recorded = mock.Mock(counts=[{"runs": [RUN]}])
        self.program("nvcc", "print('Cuda compilation tools, release 12.5, V12.5.82')")
        self.write("-sass", FAT.format("sm_75", SM75) + FAT.format("sm_90", LISTING))
        self.list_elf(75, 90)
        self.write("build.ninja")  # of a build without MPI
        self.program("cuobjdump", f"import sys; print(open({str(self.folder)!r} + '/' + sys.argv[1]).read())")
        for program in limits.release_programs(self.folder):
            self.program(f"{program[:2]}_step/{program}", "")
        for target, name, value in ((limits, "Recorded", lambda _: recorded), (limits, "configured", lambda _: self.folder),
                                    (limits, "build_targets", mock.Mock()), (pages, "LIMITS", self.folder / "recorded.json"),
                                    (limits.publish, "write", lambda _: []),
                                    (limits.packages, "find_cuda_tool", lambda name: self.folder / name)):
            self.enterContext(mock.patch.object(target, name, value))

    def call(self, *words):
        return call(run_command, "limits", limits, words)

    def list_elf(self, *architectures):
        """Lists the code as cuobjdump does if a program has that of several files."""
        self.write("--list-elf", "".join(f"ELF file    {n}: forces.{n}.sm_{each}.cubin\n"
                                         for n, each in enumerate([*architectures, architectures[0]], 1)))

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
