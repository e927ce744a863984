"""Runs docs/notebooks/ladder.ipynb from its first cell to its last, and looks at what each has made."""

import base64
import io
import os
import re
import unittest

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools import packages
from common.tools.build import kernel_steps

NOTEBOOK = ROOT / "docs" / "notebooks" / "ladder.ipynb"
SECONDS = 600  # for a cell


def setUpModule():
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else the kernel's debugger, which nobody uses, warns
    packages.use_python_with("nbclient")
    for module in ("nbclient", "ipykernel", "matplotlib"):
        if not packages.has_module(module):
            raise unittest.SkipTest(f"python3-{module} missing")


def text_of(outputs):
    """The final text, without what a command's progress has overwritten."""
    text = "".join(output["text"] for output in outputs if output["output_type"] == "stream")
    return "\n".join(re.split(r"\r|\x1b\[K", line)[-1] for line in text.replace("\r\n", "\n").split("\n"))


def data_of(outputs, kind):
    return [output["data"][kind] for output in outputs if kind in output.get("data", {})]


class Notebook(InFolder):
    def test_every_cell_makes_what_it_should(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        client = nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3",
                                         resources={"metadata": {"path": str(NOTEBOOK.parent)}})
        client.execute()
        cells = {cell["id"]: cell["outputs"] for cell in notebook.cells if cell["cell_type"] == "code"}
        for name, outputs in cells.items():
            with self.subTest(cell=name):
                getattr(self, f"look_at_{name}")(outputs)

    def look_at_suite(self, outputs):
        self.assertRegex(text_of(outputs), "NVIDIA-SMI|No GPU: ")

    def look_at_ladder(self, outputs):
        text = text_of(outputs)
        for row in ["serial", "simd", "host_tree", *kernel_steps()]:
            self.assertRegex(text, rf"(?m)^{row}\b.* ok\b")

    def look_at_figure(self, outputs):
        from matplotlib import image
        picture, = data_of(outputs, "image/png")
        pixels = image.imread(io.BytesIO(base64.b64decode(picture)))
        blue = (abs(pixels[..., :3] - [70 / 255, 130 / 255, 180 / 255]) < 0.02).all(axis=2)
        self.assertGreater(blue.sum(), 9 * 100)  # a dot for each row
        self.assertLess(blue.mean(), 0.1)

    def look_at_kernel(self, outputs):
        text = text_of(outputs)
        self.assertIn("__global__ void", text)
        self.assertEqual(text.count("__syncthreads();"), 2)

    def look_at_write(self, outputs):
        self.assertRegex(text_of(outputs), r"^Written: build/notebook/02/forces\.cu")

    def look_at_check(self, outputs):
        text = text_of(outputs)
        self.assertIn("race on shared memory: tile[", text)
        self.assertRegex(text, r"(?m)^  write by thread .* at 02_tiled/forces\.cu:\d+$")
        self.assertIn("0 runs passed, 3 failed, different reports: 1", text)

    def look_at_movie(self, outputs):
        page, = data_of(outputs, "text/html")
        self.assertTrue(page.startswith('<div><iframe srcdoc="&lt;!'), page[:80])
        self.assertGreater(len(page), 1 << 20)
        self.assertRegex(text_of(outputs), r"(?m)^check +passed$")

    def look_at_exercise(self, outputs):
        self.assertIn("1 starter written", text_of(outputs))
        self.assertIn("# 1.3: Correct in two of three dimensions", data_of(outputs, "text/markdown")[0])

    def look_at_grade(self, outputs):
        text = text_of(outputs)
        score = re.search(r"([\d.]+) of 100", text)
        self.assertTrue(score, text)
        self.assertLess(float(score[1]), 70)
        self.assertRegex(text, r"build/notebook/exercises/1\.3/forces\.cu:\d+: the z component of each force has the value of the y component|"
                         r"bodies are wrong")
