"""Tests of the count that holds a step's diff from its parent to its budget."""

from types import SimpleNamespace

from common.base.command_line import CommandFailed
from common.tests.tools.case import InFolder
from common.tools.ladder import step_diff

PARENT = "/// one\nreal3 interaction(real4 i) {\n  return i;\n}\n\nkernel\nlaunch\n"


class Diff(InFolder):
    def judged(self, step, budget):
        step_diff.run(SimpleNamespace(parent=self.write("parent.cu", PARENT), step=self.write("step.cu", step),
                                      budget=budget))

    def test_a_step_keeps_its_budget_and_interaction(self):
        self.judged(PARENT.replace("one", "two"), 2)  # comments count
        with self.assertRaisesRegex(CommandFailed, "2 changed lines against its parent, the budget is 1"):
            self.judged(PARENT.replace("launch", "other launch"), 1)
        with self.assertRaisesRegex(CommandFailed, "interaction.. is not its parent's"):
            self.judged(PARENT.replace("return i", "return -i"), 9)
