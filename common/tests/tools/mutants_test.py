"""Tests of the corpus of wrong kernels and of wrong programs, and of how it is read."""

import re
import unittest
from unittest import mock

from common.grader.exercises import mutant_corpus
from common.grader.exercises.mutant_corpus import parse
from common.grader.exercises.patches import BadFile
from common.tests.tools.case import InFolder
from common.tools.mutants import mutants, page
from common.tools.mutants.program_runner import right_programs

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
        for whole, least, kinds in ((False, 140, 70), (True, 50, 15)):
            some = [m for m in mutants if bool(m.whole_program) == whole]
            self.assertGreaterEqual(len(some), least)
            self.assertGreaterEqual(len({m.kind for m in some}), kinds)

    def test_the_lines_that_a_report_must_name_are_there(self):
        programs = right_programs()
        self.assertGreaterEqual(len(programs), 12)
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
        self.assertGreaterEqual(len(kernels), 30)
        with self.assertRaisesRegex(BadFile, "needs unusual"):
            mutant_corpus.parse_right("01_x", "arguments = --block 64\n-three\n+3\n")

    def test_no_two_are_the_same(self):
        everything = [*mutant_corpus.corpus(), *mutant_corpus.right_kernels()]
        sources = [(m.step, *sorted(m.sources().items())) for m in everything]
        self.assertEqual(len(set(sources)), len(sources))

    def test_the_page_has_what_was_recorded(self):
        self.assertEqual(page.problems(), [])


    def test_a_record_of_some_leaves_the_others(self):
        def entries(*numbers):
            return [{"name": mutant_corpus.corpus()[n].name, "runs": {}} for n in numbers]

        def controls(*reports):
            return [{"step": "01_naive", "arguments": "", "reports": [*reports]}]

        before = {"suite": {"commit": "a"}, "mutants": entries(0, 2), "controls": controls()}
        after = page.merged(before, {"suite": {"commit": "b"}, "mutants": entries(1, 2), "controls": controls("x")})
        self.assertEqual([e["name"] for e in after["mutants"]], [m.name for m in mutant_corpus.corpus()[:3]])
        self.assertEqual([e.get("commit") for e in after["mutants"]], [None, "b", "b"])
        self.assertEqual((after["suite"], after["controls"]), ({"commit": "a"}, controls("x")))


class Entries(InFolder):
    def test_an_entry_is_read(self):
        mutant = parse("01_sign", ENTRY)
        self.assertEqual((mutant.kind, mutant.tool, mutant.step), ("wrong sign", "validation", "01_naive"))
        self.assertEqual((mutant.arguments, mutant.bodies), (("--block", "64"), (1000, 513, 257)))
        for before in ("one\ntwo\nthree\nfour\n", "zero\none\ntwo\nthree\nfour\nfive\n"):
            self.assertEqual(mutant.sources({"forces.cu": before}), {"forces.cu": before.replace("three", "3")})

    def test_an_entry_may_change_several_places_and_files_of_its_step(self):
        mutant = parse("01_sign", ENTRY + "@@\n-six\n@@ law.cuh\n-five\n+5\n")
        self.assertEqual(mutant.sources({"forces.cu": "two\nthree\nfour\nsix\n", "law.cuh": "five\nsix\n"}),
                         {"forces.cu": "two\n3\nfour\n", "law.cuh": "5\nsix\n"})

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

    def test_a_bad_header_is_refused(self):
        for old, new in (("kind = wrong sign\n", ""), ("validation", "valuation"), ("mistake = ", "mistake ="),
                         ("arguments", "checker"), (" two\n-three\n+3\n", ""), ("arguments", "kind")):
            with self.assertRaises(BadFile):
                parse("01_sign", ENTRY.replace(old, new, 1))

    def test_one_of_each(self):
        words = re.search("^validation = (.*)$", ENTRY, re.MULTILINE)[1]
        for step, names in (("01_naive", (("01_a", words), ("01_b", words))), ("02_tiled", (("02_c", "other words"),))):
            self.write(f"{step}.txt", "\n".join(f"[{name}]\n" + ENTRY.replace(words, report) for name, report in names))
        chosen = mutant_corpus.one_of_each(mutant_corpus.corpus(self.folder))
        self.assertEqual([m.name for m in chosen], ["01_a", "02_c"])


if __name__ == "__main__":
    unittest.main()
