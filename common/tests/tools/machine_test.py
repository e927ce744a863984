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

    def test_what_is_there_says_what_to_do(self):
        for given, words in (((), "uses the CPU executor: every command works"),
                             (("12.4",), "install the CUDA toolkit, of CUDA 12.4 or older"),
                             (("12.4", "12.4"), "./run uses the GPU."), (("12.4", "12.5"), "`nvcc -arch=sm_75 file.cu`"),
                             (("12.4", "13.0"), "no kernel will start"),
                             (("13.0", "13.0", "7.0"), "CUDA 13.0 does not compile for sm_70")):
            self.assertIn(words, self.said(*given), given)

    def test_the_gpu_its_driver_and_the_toolkit_are_named(self):
        self.said()
        self.assertEqual(self.lines[1], "CUDA toolkit: none")
        self.said("12.4", "12.4")
        self.assertEqual(self.lines[0], "GPU: Tesla T4, sm_75, driver 550.54.15, for CUDA up to 12.4")

    def test_what_fails_counts_as_not_there(self):
        self.program("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.assertIn("uses the CPU executor", self.said())
