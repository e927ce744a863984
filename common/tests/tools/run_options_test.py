"""Tests that the tools refuse before a build what the programs refuse, and nothing else. The argument is a program in FP32."""

import re
import subprocess
import sys
import unittest

from common.base.command_line import BadInput
from common.tools.programs import RANGES, SOFTENING, check_run_options, flags, scenes

PROGRAM = sys.argv.pop()
NO_NUMBERS = ("x", "+5", "5x", "0x10", "1_0", "-1", "-0", "\u0663", "nan", "inf", ".", "--", "9" * 40)
REALS = ("0.5", ".5", "5.", "1e3", "1E+3", "1e-3", "1d3", "+1", "1e400", "1e-400", "0", "1.5.2")


class RunOptions(unittest.TestCase):
    def said(self, **given):
        """Returns what the tools and the program say against the options; nothing if they accept them."""
        try:
            tools = check_run_options(**given) or ""
        except BadInput as error:
            tools = str(error)
        # The program then refuses this file, before it computes anything.
        command = [PROGRAM, *flags(**given), "--json=/nowhere/x"]
        program = subprocess.run(command, capture_output=True, text=True).stderr.partition(": ")[2].rstrip("\n")
        return tools, "" if program.startswith("cannot write /nowhere/x") else program

    def test_whole_numbers(self):
        for name, (least, most) in RANGES.items():
            for value in (*map(str, (least - 1, least, most, most + 1)), "007", *NO_NUMBERS, *REALS):
                tools, program = self.said(**{name: value})
                self.assertEqual(tools, program)

    def test_other_numbers(self):
        around = [f"{factor * limit:.6g}" for limit in SOFTENING for factor in (0.999, 1, 1.001)]
        for name in ("dt", "softening"):
            for value in (*NO_NUMBERS, *REALS, *around):
                tools, program = self.said(**{name: value})
                self.assertEqual(bool(tools), bool(program), (tools, program))
                self.assertTrue(program.startswith(re.split(", not '|: without", tools)[0]), (tools, program))

    def test_scenes(self):
        listed = re.search(r"unknown scene 'nope'; there are (.*)", self.said(scene="nope")[1])[1]
        self.assertEqual(", ".join(scenes()), listed)
        for name in scenes():
            for bodies in (None, "1", "2", "9"):
                tools, program = self.said(scene=name, bodies=bodies)
                self.assertEqual(tools, program)

    def test_a_file_and_a_scene(self):
        for more in ({"scene": "cube"}, {"bodies": "5"}, {"seed": "5"}):
            tools, program = self.said(input=__file__, **more)
            self.assertEqual(tools, program)
            self.assertIn("choose one", tools)
