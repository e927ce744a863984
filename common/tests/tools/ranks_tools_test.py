"""Tests of how the tools start steps 08 and 11 on several ranks, and of their rows of the ladder."""

import os
import unittest
from unittest import mock

from common.base.command_line import BadInput, run_command
from common.tests.tools.case import InFolder, call
from common.tools import ranks
from common.tools.ladder import ladder

HELP = "  --exchange VALUE   how: gather, ring or pairs (default: ring)"
# Starts the program that its words name, and complains of one that fails, as Open MPI's does.
FAKE_MPIRUN = """import os, subprocess, sys
status = subprocess.run(sys.argv[3:], env={**os.environ, "RANKS": sys.argv[2]}).returncode
if status:
    print("-----\\nmpirun detected that a process exited\\n-----", file=sys.stderr)
sys.exit(status)
"""
# Has as many GPUs as two ranks need.
STEP = f"""if "--help" in sys.argv:
    sys.exit(print("{HELP}"))
number = int(os.environ["RANKS"])
if number > 2:
    sys.exit(print("08_many_gpus: mpirun -np 3: too many", file=sys.stderr) or 2)
runs = [run_of(name, given["bodies"], gflops=50e3, interactions_per_s=2.5e12, force_ms={{"median": 1.0}}, error=None,
               parameters={{"exchange": given["exchange"]}} if "exchange" in given else {{}}, metrics={{"ranks": number}}, parts_ms={{"rank 0": 1}})]
"""


def made_up_build(case, place, step, with_mpi=True, **device):
    mpirun = case.program(f"{place}mpirun", FAKE_MPIRUN)
    for program in ranks.PROGRAMS:
        case.reporter(f"{place}{program}", step, **device)
    case.write(f"{place}CMakeCache.txt", f"A:BOOL=ON\nMPIEXEC_EXECUTABLE:FILEPATH={mpirun}\n")
    case.write(f"{place}build.ninja", f"build {ranks.PROGRAM}: CXX_EXECUTABLE\n" if with_mpi else "build 01_naive/01_naive:\n")
    return case.folder


class OnRanks(InFolder):
    def made_up_build(self, with_mpi=True):
        return made_up_build(self, "", STEP, with_mpi, name="2 x Made-up", fma_tflops=100.0, fma_clock_ghz=1.9)

    def test_mpirun_is_that_of_the_build_where_it_has_the_step(self):
        self.assertEqual(ranks.mpirun(self.made_up_build()), str(self.folder / "mpirun"))
        self.assertIsNone(ranks.mpirun(self.made_up_build(with_mpi=False)))

    def test_more_ranks_than_gpus_are_refused_in_the_programs_words_alone(self):
        ranks.check(self.made_up_build(), 2)
        with self.assertRaises(BadInput) as refused:
            ranks.check(self.folder, 3)
        self.assertEqual(str(refused.exception), "08_many_gpus: mpirun -np 3: too many")

    def test_the_ladder_has_a_row_for_each_rung(self):
        said = self.expect_success(self.run_ladder("--preset=cpu", "--ranks=2", "--bodies=64"))
        rows = [line for line in said.splitlines() if line.startswith(ranks.STEPS)]
        self.assertEqual([row[:24].rstrip() for row in rows],
                         [*(f"08_many_gpus {word} x2" for word in ("gather", "ring", "pairs")), "11_distributed_tree x2"])
        self.assertTrue(all(row.split()[-8:] == ["ok", *"-------"] for row in rows), rows)

    def run_ladder(self, *words):
        folder = self.made_up_build("--no-mpi" not in words)
        with mock.patch.multiple(ladder, kernel_steps=list, BASELINES=[], configured=lambda preset: folder, ROOT=folder), \
                mock.patch.object(ladder.Builder, "make_ready"):
            return call(run_command, "ladder", ladder, [word for word in words if word != "--no-mpi"])

    def test_without_mpi_one_line_says_so_and_the_ladder_goes_on(self):
        status, said, _ = self.run_ladder("--ranks=2", "--bodies=64", "--no-mpi")
        self.assertEqual(status, 1)  # for here no other step is left
        self.assertIn(ranks.MISSING + "\n", said)
        self.assertIn("check", said)


class Environment(unittest.TestCase):
    UNBOUND = {"OMPI_MCA_hwloc_base_binding_policy", "PRTE_MCA_hwloc_default_binding_policy"}

    def told(self, number, uid, cores, **given):
        with mock.patch.object(os, "geteuid", return_value=uid), mock.patch.object(os, "cpu_count", return_value=cores), \
                mock.patch.dict(os.environ, given, clear=True):
            return set(ranks.environment(number)) - self.UNBOUND

    def test_open_mpi_is_told_only_what_it_needs_to_know(self):
        oversubscribe = {"OMPI_MCA_mpi_yield_when_idle", "OMPI_MCA_rmaps_base_oversubscribe",
                         "PRTE_MCA_rmaps_default_mapping_policy"}
        root = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}
        self.assertEqual(self.told(2, 1000, 8), set())
        self.assertEqual(self.told(5, 1000, 8), oversubscribe)
        self.assertEqual(self.told(2, 0, 8), root)
        self.assertEqual(self.told(2, 0, 8, OMPI_ALLOW_RUN_AS_ROOT="0"), root - {"OMPI_ALLOW_RUN_AS_ROOT"})
