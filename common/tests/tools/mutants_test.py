"""Tests of the corpus of wrong kernels and of wrong programs: how it is read, and what is made of its runs. That each is named as
what it is, and that what is right is clean."""

import contextlib
import dataclasses
import io
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common.grader.exercises import mutant_corpus
from common.grader.exercises.mutant_corpus import parse
from common.grader.exercises.patches import BadFile
from common.grader.verdict import Verdict, is_as_named, verdict
from common.tests.tools.case import InFolder
from common.tools.mutants import mutants, page
from common.tools.mutants.runner import ProgramRunner, Runner, right_programs

ENTRY = """kind = wrong sign
mistake = r points the wrong way
validation = mirrored | sign?
arguments = --block 64
 two
-three
+3
"""


class Corpus(unittest.TestCase):
    def test_every_mutant_applies_and_changes_its_step(self):
        mutants = mutant_corpus.corpus()
        for mutant in mutants:
            with self.subTest(mutant.name):
                for name, original in mutant.originals().items():
                    self.assertNotEqual(mutant.sources()[name], original)
                self.assertEqual(mutant.name.partition("_")[0], "host" if mutant.whole_program else mutant.step[:2])

    def test_the_lines_that_a_report_must_name_are_there(self):
        programs = right_programs()
        for mutant in mutant_corpus.corpus():
            if mutant.whole_program:
                with self.subTest(mutant.name):
                    self.assertIn(mutant.whole_program, programs)
                    self.assertEqual(len(mutant.places()), len(mutant.lines))

    def test_every_right_kernel_applies(self):
        kernels = mutant_corpus.right_kernels()
        for kernel in kernels:
            with self.subTest(kernel.name):
                self.assertEqual(kernel.name.partition("_")[0], kernel.step[:2])
                self.assertNotEqual(kernel.sources(), kernel.originals())
        with self.assertRaisesRegex(BadFile, "needs unusual"):
            mutant_corpus.parse_right("01_x", "arguments = --block 64\n-three\n+3\n")

    def test_no_two_are_the_same(self):
        everything = [*mutant_corpus.corpus(), *mutant_corpus.right_kernels()]
        sources = [(m.step, *sorted(m.sources().items())) for m in everything]
        self.assertEqual(len(set(sources)), len(sources))

    def test_each_is_recorded(self):
        self.assertEqual(page.problems(), [])


class Entries(InFolder):
    def test_an_entry_is_read(self):
        mutant = parse("01_sign", ENTRY)
        self.assertEqual((mutant.kind, mutant.tool, mutant.step), ("wrong sign", "validation", "01_naive"))
        self.assertEqual((mutant.arguments, mutant.bodies), (("--block", "64"), (1000, 513, 257)))
        for before in ("one\ntwo\nthree\nfour\n", "zero\none\ntwo\nthree\nfour\nfive\n"):
            self.assertEqual(mutant.sources({"forces.cu": before}), {"forces.cu": before.replace("three", "3")})

    def test_a_whole_program_says_which_lines_are_to_be_named(self):
        mutant = parse("host_three", "file = 01_naive/forces.cu\n" + ENTRY.replace("arguments", "line = 3\nline = fo\narguments"))
        with mock.patch.object(mutant_corpus.Mutant, "sources", lambda self: {"forces.cu": "two\n3\nfour\n"}):
            self.assertEqual(mutant.places(), ["01_naive/forces.cu:2", "01_naive/forces.cu:3"])
        with mock.patch.object(mutant_corpus.Mutant, "sources", lambda self: {"forces.cu": "3\n3\nfour\n"}):
            with self.assertRaisesRegex(BadFile, "'3' is there 2 times"):
                mutant.places()

    def test_an_entry_that_no_longer_applies_is_refused(self):
        mutant = parse("01_sign", ENTRY)
        for text in ("one\ntwo\n3\nfour\n", "two\nthree\nfour\n" * 2):
            with self.assertRaisesRegex(BadFile, "01_sign: change 1 does not apply"):
                mutant.sources({"forces.cu": text})


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


class FakeProgramRunner(FakeRunner, ProgramRunner):
    """Runs nothing: each run prints what `answer` gives for its order."""

    def run(self, tool, command, order):
        log = self.answer(order)
        return verdict(1 if log else 0, log), log


class Judgement(InFolder):
    def problem(self, answer, mutant=mutant_corpus.mutant("01_wrong_sign")):
        (self.folder / mutant.name).mkdir(exist_ok=True)
        runner = FakeProgramRunner if mutant.whole_program else FakeRunner
        return runner(self.folder, answer).judge(mutant).get("problem")

    def test_a_mutant_counts_where_it_is_named_and_never_passes(self):
        named = Verdict("validation", "all forces are in the opposite direction (is a sign wrong?)")
        self.assertIsNone(self.problem(lambda order, bodies: named))
        self.assertIsNone(self.problem(lambda order, bodies: named if bodies == 1000 else Verdict("validation", "x")))
        self.assertIn("not found: ", self.problem(lambda order, bodies: Verdict(None)))
        self.assertIn("not found: ", self.problem(lambda order, bodies: Verdict("executor", "race")))
        self.assertIn("in order", self.problem(lambda order, bodies: named if order == "forward" else Verdict(None)))
        self.assertIn("257 bodies", self.problem(lambda order, bodies: Verdict(None) if bodies == 257 else named))

    def test_mutants_of_several_ranks_are_started_by_mpirun(self):
        mutant = mutant_corpus.mutant("08_ring_never_passes_on")
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
        self.assertIn("1 mutants are not run: 08_many_gpus and 11_distributed_tree are left out: no MPI", said.getvalue())

    def test_one_of_a_program_counts_where_its_lines_are_named_in_every_order_and_a_closed_gap_is_told(self):
        mutant = mutant_corpus.mutant("host_freed_twice")
        first, second = mutant.places()
        words = f"executor: {mutant.words}\n  {first}\n"
        named = f"{words}  {second}\n"
        self.assertIsNone(self.problem(lambda order: named, mutant))
        for log, problem in ((words, second), (f"{words}  {second}0\n", second), ("", "not found: "),
                             (f"executor: a race\n {first} {second}\n", mutant.words)):
            self.assertIn(problem, self.problem(lambda order, log=log: log, mutant))
        self.assertIn("in order", self.problem(lambda order: named if order == "forward" else words, mutant))
        gap = dataclasses.replace(mutant, gap="nothing")
        self.assertEqual(self.problem(lambda order: named, gap), "it is named by now: it needs no gap any more")
        self.assertIsNone(self.problem(lambda order: "", gap))
