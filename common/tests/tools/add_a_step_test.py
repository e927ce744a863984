"""docs/pages/add_a_step.md: each place that it lists knows every step."""

import re
import unittest

from common.base.command_line import ROOT
from common.tools.build import step_names

ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)
ELSEWHERE = {("08_many_gpus", "docs/results/h100/ladder.json")}  # as the page says


class Places(unittest.TestCase):
    def test_every_place_knows_every_step(self):
        rows = ROW.findall((ROOT / "docs/pages/add_a_step.md").read_text())
        self.assertGreater(len(rows), 10)
        for step in step_names():
            number = step[:2]
            for name, words in rows:
                file, wanted = (re.sub(r"\bN\.", f"{int(number)}.", text.replace("NN_name", step)).replace("NN", number)
                                for text in (name, words))
                with self.subTest(step=step, file=file):
                    if (step, file) not in ELSEWHERE:
                        self.assertTrue(wanted in (ROOT / file).read_text(), f"{file} does not contain {wanted}")
