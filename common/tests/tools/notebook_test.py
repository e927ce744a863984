"""Tests of docs/notebooks/ladder.ipynb as it is kept: no outputs, one way to write it, a kernel that has not drifted from its
step. notebook_run_test.py runs it.
"""

import ast
import json
import os
import subprocess
import sys
import unittest

from common.base.command_line import ROOT
from common.grader.exercises.mutant_corpus import mutant
from common.tests.tools.case import InFolder
from common.tests.tools.export_test import in_checkout

NOTEBOOK = ROOT / "docs" / "notebooks" / "ladder.ipynb"


def sources():
    """The sources of the code cells, by name."""
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


@in_checkout
class FirstCell(InFolder):
    """Tests without a checkout, as on Colab."""

    def run_cell(self, repository):
        """The ended process. The fork of that name at github.com is this checkout."""
        text = sources()["suite"].replace("OWNER/NAME", repository, 1)
        return subprocess.run([sys.executable, "-c", text], cwd=self.folder, capture_output=True, text=True, env={
            **os.environ, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.file://{ROOT}.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/made-up/fork.git"})

    def test_it_clones_the_fork(self):
        done = self.run_cell("made-up/fork")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^GPU: .+\nCUDA toolkit: ")
        self.assertTrue((self.folder / "nbody-ladder" / "build" / "notebook" / "02").is_dir())

    def test_it_asks_for_the_forks_name(self):
        done = self.run_cell("OWNER/NAME")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("put your fork's name into REPOSITORY", done.stderr)


class Notebook(unittest.TestCase):
    def setUp(self):
        self.text = NOTEBOOK.read_text()
        self.cells = json.loads(self.text)["cells"]

    def test_no_outputs_are_kept(self):
        for cell in self.cells:
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"], cell["metadata"]), ([], None, {}), cell["id"])

    def test_its_kernel_is_the_steps_own_but_for_the_mistake(self):
        first, _, kernel = sources()["write"].partition("\n")
        self.assertEqual(first, "%%writefile build/notebook/02/forces.cu")
        self.assertEqual(kernel + "\n", mutant("02_missing_first_barrier").sources()["forces.cu"])

    def test_its_python_can_be_read(self):
        for name, source in sources().items():
            if not source.startswith("%%"):
                ast.parse("\n".join("pass" if line.startswith("!") else line for line in source.splitlines()), name)
