"""The model of the register file: by hand on loops of a few instructions, and against what was recorded."""

import json
import unittest

from common.base.command_line import ROOT
from common.tools.ladder import sass
from common.tools.ladder.issue_model import issue_rate, operands, reads
from common.tools.sweeps.issue import loop_of


def loop(*lines):
    return [(16 * k, *line.split(" ", 1)) for k, line in enumerate(lines)]


class Operands(unittest.TestCase):
    def test_registers_by_place_without_the_result(self):
        self.assertEqual(operands("FFMA.FTZ", "R1, R2.reuse, -R3, |R4|"), {0: (2, True), 1: (3, False), 2: (4, False)})
        self.assertEqual(operands("FFMA.FTZ", "R13, R35, R35, UR8"), {0: (35, False), 1: (35, False)})
        self.assertEqual(operands("LDS.128", "R12, [R7+UR5+0x10]"), {0: (7, False)})
        self.assertEqual(operands("STS", "[R7], R9"), {0: (7, False), 1: (9, False)})

    def test_an_addition_adds_where_a_multiply_add_does(self):
        self.assertEqual(operands("FADD.FTZ", "R1, R2, R3.reuse"), {0: (2, False), 2: (3, True)})

    def test_what_is_kept_is_not_read_again_in_the_same_place(self):
        self.assertEqual(reads(loop("FMUL R1, R2.reuse, R3", "FMUL R5, R2, R7")), [[1, 1], [0, 1]])
        self.assertEqual(reads(loop("FMUL R1, R2.reuse, R3", "FMUL R5, R7, R2")), [[1, 1], [1, 1]])


class Rate(unittest.TestCase):
    def test_by_hand(self):
        for rate, *lines in (
            (1, "FADD R1, R2, R3"),
            (1, "FFMA R1, R2, R2, R3"),
            (1 / 2, "FFMA R1, R2, R4, R3"),           # two of the even bank, each time
            (1 / 3, "FFMA R1, R2, R4, R6"),
            (2 / 3, "FFMA R1, R2, R4, R3", "FFMA R5, R2, R3, R7"),  # three of each bank for two
            (1, "FFMA R1, R2, R4, R3", "FADD R1, R5, 1"),  # the second read of the even bank is done meanwhile
            (1, "FFMA R1, R2.reuse, R4, R3", "FFMA R5, R2.reuse, R8, R7")):
            self.assertAlmostEqual(issue_rate(loop(*lines) * 50), rate, delta=0.02, msg=lines)


class Recorded(unittest.TestCase):
    def test_arithmetic_is_predicted_within_six_hundredths(self):
        for file in ROOT.glob("docs/results/*/issue.json"):
            for run in json.loads(file.read_text())["runs"]:
                if run["kernel"] == "operandLoop" and not run["what"].endswith(("roots", "loads")):
                    self.assertLess(abs(run["predicted_issue_rate"] / run["issue_rate"] - 1), 0.06, run["loop"])

    def test_a_loop_is_found_by_its_templates_arguments(self):
        name = "_ZN5nbody11operandLoopILNS_3MixE3ELi{}EEEvPK6float4iPfPx"
        listing = "".join(f"Function : {name.format(seed)}\n/*0000*/ FADD R1, R{seed}, R3 ;\n/*0010*/ BRA 0x0000 ;\n"
                          for seed in (1, 16))
        found = loop_of(sass.parse(listing), {"kernel": "operandLoop", "arguments": [3, 16]})
        self.assertEqual(found[0][2], "R1, R16, R3")
