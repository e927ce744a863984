"""Tests of what is made of a mutant's runs: whether its mistake was named, and whether what is right was clean."""

import contextlib
import dataclasses
import io
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.grader.exercises import mutant_corpus
from common.grader.exercises.mutant_corpus import parse
from common.grader.verdict import Verdict, is_as_named, verdict
from common.tests.tools.case import InFolder
from common.tests.tools.mutants_test import ENTRY
from common.tools.mutants import mutants
from common.tools.mutants.program_runner import ProgramRunner
from common.tools.mutants.runner import Runner


class Verdicts(unittest.TestCase):
    def expect(self, by, message, status, text, sanitizer=False):
        self.assertEqual(verdict(status, text, sanitizer), Verdict(by, message))

    def test_the_executors(self):
        self.expect(None, "", 0, "")
        self.expect("hang", "", None, "")
        self.expect("crash", "signal 11", -11, "")
        self.expect("executor", "race on shared memory: tile[0]", 1, "executor: race on shared memory: tile[0]\n  x\n")
        self.expect("executor", "divergent barrier in block", 1, "02_tiled: executor: divergent barrier in block\nx\n")
        self.expect("executor", "race on x[0]", 1, "08_many_gpus: rank 2: executor: race on x[0]\n")
        self.expect("executor", "invalid launch", 1, "02_tiled: invalid launch\n")
        self.expect("cuda", "a failed: illegal (x.cu:1)", 1, "02_tiled: a failed: illegal (x.cu:1)\n")

    def test_the_checks(self):
        self.expect("validation", "sign?", 1, "02_tiled: check failed: body 0: much\n  hint: sign?\n")
        self.expect("validation", "body 0: much", 1, "02_tiled: check failed: body 0: much\n")

    def test_asans(self):
        self.expect("asan", "heap-buffer-overflow: READ of size 16", 1,
                    "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD of size 16 at 0x1\n")

    def test_compute_sanitizers(self):
        banner = "========= COMPUTE-SANITIZER\n"
        self.expect(None, "", 0, banner + "========= ERROR SUMMARY: 0 errors\n", True)
        self.expect(None, "", 1, "02_tiled: check failed: x\n========= ERROR SUMMARY: 0 errors\n", True)
        self.expect("compute-sanitizer", "Invalid __global__ write of size 16 bytes", 99, banner +
                    "========= Invalid __global__ write of size 16 bytes\n========= ERROR SUMMARY: 3 errors\n", True)
        self.expect("compute-sanitizer", "Error: Race reported between Write access at x", 99, banner +
                    "========= Error: Race reported between Write access at x\n"
                    "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n", True)
        self.expect("crash", "the tool did not report", 1, banner, True)
        self.expect("hang", "", None, banner, True)

    def test_a_name_is_what_the_tool_said_in_its_words(self):
        mutant = parse("01_sign", ENTRY)
        self.assertTrue(is_as_named(Verdict("validation", "forces are Mirrored"), mutant))
        self.assertTrue(is_as_named(Verdict("validation", "sign?"), mutant))
        self.assertFalse(is_as_named(Verdict("executor", "mirrored"), mutant))
        self.assertFalse(is_as_named(Verdict("validation", "zero"), mutant))


class FakeRunner(Runner):
    """Runs nothing: each run has the verdict that `answer` gives for its order and its number of bodies."""

    def __init__(self, folder, answer):
        self.options = SimpleNamespace(tool="checker")  # the same for programs
        self.on_gpu = False
        self.folder = Path(folder)
        self.answer = answer

    def program(self, name, step, changed, target=None):
        return self.folder / name / step / step

    def run(self, tool, command, order):
        return self.answer(order, int(command[command.index("--bodies") + 1])), ""


class Judgement(InFolder):
    def problem(self, answer):
        mutant = next(m for m in mutant_corpus.corpus() if m.name == "01_wrong_sign")
        (self.folder / mutant.name).mkdir(exist_ok=True)
        return FakeRunner(self.folder, answer).judge(mutant).get("problem")

    def test_a_mutant_counts_where_it_is_named_and_never_passes(self):
        named = Verdict("validation", "all forces are in the opposite direction (is a sign wrong?)")
        self.assertIsNone(self.problem(lambda order, bodies: named))
        self.assertIsNone(self.problem(lambda order, bodies: named if bodies == 1000 else Verdict("validation", "x")))
        self.assertIn("not found: ", self.problem(lambda order, bodies: Verdict(None)))
        self.assertIn("not found: ", self.problem(lambda order, bodies: Verdict("executor", "race")))
        self.assertIn("in order", self.problem(lambda order, bodies: named if order == "forward" else Verdict(None)))
        self.assertIn("257 bodies", self.problem(lambda order, bodies: Verdict(None) if bodies == 257 else named))

    def test_mutants_of_several_ranks_are_started_by_mpirun(self):
        mutant = next(m for m in mutant_corpus.corpus() if m.name == "08_ring_never_passes_on")
        self.write("build.ninja", "build 08_many_gpus/08_many_gpus: link\n")
        self.write("CMakeCache.txt", "MPIEXEC_EXECUTABLE:FILEPATH=/usr/bin/mpirun\n")
        runner = FakeRunner(self.folder, None)
        runner.options.build = self.folder
        command = runner.command("08_many_gpus", ["--steps", "2"], 1000, mutant.ranks)
        self.assertIn("NBODY_EXECUTOR_LAZY=1", command)
        self.assertEqual(command[command.index("/usr/bin/mpirun"):],
                         ["/usr/bin/mpirun", "-np", "3", "08_many_gpus", "--bodies", "1000", "--scene=cube",
                          "--no-measure", "--steps", "2"])
        self.assertEqual(mutants.that_can_run([mutant], self.folder), [mutant])
        self.write("build.ninja", "")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(mutants.that_can_run([mutant], self.folder), [])
        self.assertIn("1 mutants are not run: 08_many_gpus is left out: no MPI", said.getvalue())

    def test_a_control_must_be_clean_in_every_order(self):
        clean = FakeRunner("", lambda order, bodies: Verdict(None)).control("p", ())
        self.assertEqual(clean["reports"], [])
        race = Verdict("executor", "race")
        dirty = FakeRunner("", lambda order, bodies: race if order == "reverse" and bodies == 513 else Verdict(None))
        self.assertEqual(dirty.control("p", ())["reports"],
                         ["checker, 513 bodies, order reverse: executor, race"])


class FakeProgramRunner(FakeRunner, ProgramRunner):
    """Runs nothing: each run prints what `answer` gives for its order."""

    def run(self, tool, command, order):
        log = self.answer(order)
        return verdict(1 if log else 0, log), log


class JudgementOfPrograms(InFolder):
    def problem(self, answer):
        mutant = next(m for m in mutant_corpus.corpus() if m.name == "host_freed_twice")
        (self.folder / mutant.name).mkdir(exist_ok=True)
        return FakeProgramRunner(self.folder, answer).judge(mutant).get("problem")

    def test_a_mutant_counts_where_its_lines_are_named_in_every_order(self):
        mutant = next(m for m in mutant_corpus.corpus() if m.name == "host_freed_twice")
        first, second = mutant.places()
        words = f"executor: {mutant.words}\n  {first}\n"
        self.assertIsNone(self.problem(lambda order: f"{words}  {second}\n"))
        self.assertIn(second, self.problem(lambda order: words))
        self.assertIn(second, self.problem(lambda order: f"{words}  {second}0\n"))
        self.assertIn("in order", self.problem(lambda order: f"{words}  {second}\n" if order == "forward" else words))
        self.assertIn("not found: ", self.problem(lambda order: ""))
        self.assertIn(mutant.words, self.problem(lambda order: f"executor: a race\n {first} {second}\n"))

    def test_a_gap_that_is_closed_is_told(self):
        gap = next(m for m in mutant_corpus.corpus() if m.name == "host_freed_twice")
        gap = dataclasses.replace(gap, gap="nothing")
        (self.folder / gap.name).mkdir(exist_ok=True)
        named = f"executor: {gap.words}\n" + "".join(f"  {place}\n" for place in gap.places())
        for log, problem in ((named, "it is named by now: it needs no gap any more"), ("", None)):
            self.assertEqual(FakeProgramRunner(self.folder, lambda order: log).judge(gap).get("problem"), problem)

    def test_a_right_program_must_be_clean_in_every_order(self):
        clean = FakeProgramRunner(self.folder, lambda order: "").control("01_naive/standalone.cu")
        self.assertEqual(clean["reports"], [])
        dirty = FakeProgramRunner(self.folder, lambda order: "executor: race\n" * (order == "reverse"))
        self.assertEqual(dirty.control("01_naive/standalone.cu")["reports"], ["order reverse: executor, race"])
