"""Tests of how the tools start steps 08 and 11 on several ranks, of their rows of the ladder, and of the sweep of its scaling."""

import json
import os
import re
import unittest
from unittest import mock

from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.tests.tools.case import InFolder, SweepTest, call, needs_matplotlib
from common.tools import ranks
from common.tools.ladder import ladder
from common.tools.sweeps import ranks as ranks_sweep
from common.tools.sweeps.ranks import Link

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
               parameters={{"exchange": given["exchange"]}} if "exchange" in given else {{}}, facts={{"ranks": number}}, parts_ms={{"rank 0": 1}})]
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

    def test_an_mpirun_that_fails_by_itself_is_quoted(self):
        self.made_up_build()
        self.program("mpirun", "import sys\nsys.exit('mpirun: no slots')")
        with self.assertRaisesRegex(CommandFailed, "mpirun: no slots"):
            ranks.check(self.folder, 2)

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
        self.assertIn(" error check", said)

    def test_no_number_of_ranks_gets_one_line(self):
        for word in ("0", "-1", "two", "1.5", "1025"):
            self.expect_refusal(call(run_command, "ladder", ladder, [f"--ranks={word}"]),
                                f"ladder: --ranks: must be a whole number from 1 to 1024, not '{word}'\n")


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


def rounded(document):
    """With numbers to ten digits: the last ones are the mathematics library's."""
    return json.loads(json.dumps(document), parse_float=lambda digits: f"{float(digits):.10g}")


class Model(InFolder):
    def test_a_link_is_found_from_times_of_its_messages(self):
        made = Link(latency_us=9, gb_per_s=250)
        found = ranks_sweep.fitted({size: 9e-3 + 1e-6 * size / 250 for size in (16, 512, 2**14, 2**19, 2**24)})
        self.assertAlmostEqual(found.latency_us, made.latency_us)
        self.assertAlmostEqual(found.gb_per_s, made.gb_per_s, 5)

    def test_short_messages_count_in_the_fit_as_much_as_long_ones(self):
        found = ranks_sweep.fitted({16: 0.010, 2**14: 0.010, 2**24: 0.08})  # the last alone is a thousand times as long
        self.assertAlmostEqual(found.latency_us, 10, delta=0.1)

    def test_what_is_recorded_is_what_its_inputs_give(self):
        for file in ROOT.glob("docs/results/*/ranks_prediction.json"):
            recorded = json.loads(file.read_text())
            copy = self.write("ranks_prediction.json", json.dumps({**recorded, "measured_next": [], "on_paper": []}))
            call(run_command, "ranks", ranks_sweep, [str(copy)])
            self.assertEqual(rounded(json.loads(copy.read_text())), rounded(recorded), file)

    def test_a_deal_is_shared_by_as_many_evaluations_as_in_the_program(self):
        self.assertEqual(f"kHeld = {ranks_sweep.HELD};",
                         re.search(r"kHeld = \d+;", (ROOT / "11_distributed_tree/distributed_tree.cu").read_text())[0])


# Scales perfectly on up to four GPUs, except for 10 us per message; refuses one point.
SCALING = """if "--help" in sys.argv:
    sys.exit(print("  --exchange VALUE   how: gather, ring or pairs (default: ring)"))
number, bodies = int(os.environ["RANKS"]), int(given["bodies"])
if (number, bodies, given.get("exchange")) == (4, 16384, "pairs"):
    sys.exit(print("08_many_gpus: too few", file=sys.stderr) or 2)
ms = 1e-9 * bodies**2 / number + 0.01 * (number - 1)
runs = [run_of(name, bodies, force_ms={"median": ms}, step_ms={"median": ms + 0.01}, facts={"ranks": number},
               parameters={"exchange": given["exchange"]} if "exchange" in given else {}, parts_ms={"rank_0_compute": ms})]
if number > 1:
    document["device"]["name"] = f"{number} x Made-up"
if "--link" in sys.argv:
    runs[0]["parts_ms"].update({f"message_of_{size}_bytes": 0.01 + 1e-6 * size / 400 for size in (16, 2**14, 2**24)})
"""


@needs_matplotlib()
class Sweep(SweepTest):
    def test_four_gpus(self):
        build = made_up_build(self, "gpu/", SCALING, name="Made-up") / "gpu"
        with mock.patch.object(ranks, "gpus", lambda: 4), mock.patch.object(ranks_sweep, "ALONE", (2**14, 2**16, 2**18, 2**20)):
            made = self.measured("ranks")
        self.assertAlmostEqual(made["link"]["gb_per_s"], 400, 3)
        self.assertEqual(made["device"]["name"], "Made-up")
        # Two and four ranks: three exchanges at four sizes and a weak one, and the tree at one more of each; one was refused.
        self.assertEqual((len(made["table"]), made["sweep"]["left_out"][0]["reason"]),
                         (2 * (3 * (4 + 1) + 5 + 2) - 1, "08_many_gpus: too few"))
        rows = {(row["exchange"], row["ranks"], row["bodies"]): row for row in made["table"]}
        large = rows["ring", 2, 2**20]
        self.assertAlmostEqual(large["speedup"], 2, 3)
        self.assertAlmostEqual(large["predicted_speedup"], large["speedup"], 3)
        self.assertEqual(sum(row["scaling"] == "weak" for row in made["table"]), 2 * (3 + 2))
        self.assertTrue((build / "sweeps" / "ranks.svg").exists())
