"""Tests of what is said of a machine's GPU, driver and toolkit, with made-up ones."""

import os
from unittest import mock

from common.tests.tools.case import InFolder
from common.tools import machine

SMI = """#!/bin/sh
case "$1" in --query-gpu=*) echo "Tesla T4, {capability}, 550.54.15";; *) echo "| Driver Version: 550.54.15  CUDA Version: {cuda} |";; esac
"""


class Machine(InFolder):
    def said(self, cuda=None, nvcc=None, capability="7.5"):
        """The last line. cuda: the driver's, None for no GPU; nvcc: its version"""
        if cuda:
            self.program("nvidia-smi", SMI.format(cuda=cuda, capability=capability))
        if nvcc:
            self.program("nvcc", f"#!/bin/sh\necho 'Cuda compilation tools, release {nvcc}, V{nvcc}.40'\n")
        with mock.patch.dict(os.environ, PATH=str(self.folder), CUDA_HOME=str(self.folder / "none")):
            self.lines = machine.report()
        self.assertEqual(len(self.lines), 3)
        return self.lines[-1]

    def test_no_gpu(self):
        self.assertIn("uses the CPU executor: every command works", self.said())
        self.assertEqual(self.lines[1], "CUDA toolkit: none")

    def test_no_toolkit(self):
        self.assertIn("install the CUDA toolkit, of CUDA 12.4 or older", self.said("12.4"))

    def test_as_it_should_be(self):
        self.assertTrue(self.said("12.4", "12.4").startswith("./run uses the GPU."))
        self.assertEqual(self.lines[0], "GPU: Tesla T4, sm_75, driver 550.54.15, for CUDA up to 12.4")

    def test_a_driver_older_than_the_toolkit(self):
        self.assertIn("`nvcc -arch=sm_75 file.cu`", self.said("12.4", "12.5"))

    def test_a_driver_too_old(self):
        self.assertIn("no kernel will start", self.said("12.4", "13.0"))

    def test_a_gpu_that_the_toolkit_does_not_know(self):
        self.assertIn("CUDA 13.0 does not compile for sm_70", self.said("13.0", "13.0", "7.0"))

    def test_what_fails_counts_as_not_there(self):
        self.program("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.assertIn("uses the CPU executor", self.said())
