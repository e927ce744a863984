"""Tests of how a step's program is built with other text in some of its files."""

import contextlib
import unittest
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.grader.step_build import StepBuild, without_dependencies, words


class StepBuilds(unittest.TestCase):
    def test_a_build_that_has_lost_what_it_was_made_of_is_refused(self):
        def build_of(listing):
            build = StepBuild.__new__(StepBuild)
            build.build, build.own = Path("/tree"), [["-o", "a.o"], ["-o", "b.o"]]
            build.ninja = lambda *words: listing if words == ("deps", "a.o", "b.o") else ""
            return build

        of_a, of_b = "a.o: #deps 1, deps mtime 1 (VALID)\n    x/a.cu\n\n", "b.o: #deps 0, deps mtime 1 (VALID)\n\n"
        self.assertEqual(build_of(of_a + of_b).dependencies, {"a.o": {"/tree/x/a.cu"}, "b.o": set()})
        for lost in ("a.o: deps not found\n" + of_b, of_b + "a.o: deps not found\n"):
            with self.assertRaisesRegex(BadInput, "/tree: the build does not say what a.o was made from; build it again"):
                _ = build_of(lost).dependencies

    def test_a_file_that_is_compiled_with_others_is_refused(self):
        build = StepBuild.__new__(StepBuild)
        build.build, ours = Path("/tree"), str(ROOT / "08_many_gpus" / "exchange")
        for made, others in (("x/Unity/unity_0.o", True), ("x/ring.o", False)):
            build.dependencies = {made: {f"{ours}/ring.cpp", f"{ours}/meetings.hpp"}}
            build.check_not_within_another(["-o", made], {f"{ours}/meetings.hpp"})
            refused = self.assertRaisesRegex(BadInput, "ring.cpp is compiled with others")
            with refused if others else contextlib.nullcontext():
                build.check_not_within_another(["-o", made], {f"{ours}/ring.cpp"})

    def test_ninjas_commands_are_taken_apart(self):
        self.assertEqual(words(": && c++ -o a 'b c' && :"), ["c++", "-o", "a", "b c"])
        self.assertEqual(without_dependencies("c++ -MD -MT a.o -MF a.d -o a.o -c a.cu".split()),
                         "c++ -o a.o -c a.cu".split())
