"""docs/lifting: nvcc alone compiles a program that uses the forces of one step; on a GPU its error is checked."""

import re

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools import packages
from common.tools.build import has_gpu

FOLDER = ROOT / "docs" / "lifting"
PAGE = ROOT / "docs" / "pages" / "library.md"


class Lifting(InFolder):
    def test_without_a_step_or_nvcc_it_says_what_is_missing(self):
        for words in ([], ["99_nothing"]):
            self.assertIn("lift.sh: name a step's folder, for example 10_", self.output_of(FOLDER / "lift.sh", *words, status=2))
        for program in ("bash", "env", "dirname"):
            (self.folder / program).symlink_to(f"/usr/bin/{program}")
        said = self.output_of(FOLDER / "lift.sh", "05_triangular_map", status=2, env={"PATH": str(self.folder)})
        self.assertEqual(said, "lift.sh: nvcc is missing: put the CUDA toolkit's bin folder on PATH\n")

    def test_each_step_of_the_page_compiles_and_on_a_gpu_its_forces_are_right(self):
        if not packages.find_cuda_tool("nvcc"):
            self.skipTest("no nvcc")
        steps = re.findall(r"^\| `(\d\d_\w+)` \|", PAGE.read_text().split("{#lifting}")[1], re.MULTILINE)
        self.assertTrue(steps)
        for step in steps:
            options = ["-arch=native"] if has_gpu() else ["-arch=sm_90", "-O0", "--Ofast-compile=max"]
            with self.subTest(step=step):
                self.output_of(FOLDER / "lift.sh", step, *options, "-o", self.folder / step)
                if has_gpu():
                    self.output_of(self.folder / step)
