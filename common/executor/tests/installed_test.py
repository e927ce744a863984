"""ladder-nvcc where it is installed: it needs neither the suite nor the folder that it was built in.

The first argument is a build folder; where that has not all of the executor's modes, they are built in one of the test's.
"""

import json
import os
import sys
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.nvcc.toolchain import thrust_flags
from common.tests.tools.case import InFolder

BUILD = Path(sys.argv.pop(1)).resolve()
MODES = ("plain", "check")
PROGRAM = """#include <cooperative_groups.h>
#include <cuda/barrier>
#include <thrust/device_vector.h>
__global__ void k(int* x) { x[0] = cooperative_groups::this_thread_block().size(); }
int main() {
  thrust::device_vector<int> v(1);
  k<<<1, 7>>>(thrust::raw_pointer_cast(v.data()));
  printf("%d\\n", int(v[0]));
}
"""


def has_all_modes(folder):
    description = folder / "executor.json"
    libraries = json.loads(description.read_text())["libraries"] if description.exists() else {}
    return all(mode in libraries and Path(libraries[mode]).exists() for mode in MODES)


class Installation(InFolder):
    def built(self):
        if has_all_modes(BUILD):
            return BUILD
        folder = self.folder / "build"
        self.output_of("cmake", "-S", ROOT / "common" / "executor", "-B", folder)
        self.output_of("cmake", "--build", folder, "--parallel", "2")
        return folder

    @unittest.skipIf(thrust_flags() is None, "Thrust's headers are missing")
    def test_it_works_by_itself(self):
        home = self.folder / "home"
        self.output_of("cmake", "--install", self.built(), "--component", "executor", "--prefix", home)
        self.write("groups.cu", PROGRAM)
        for mode in MODES:
            self.output_of(home / "bin" / "ladder-nvcc", f"--{mode}", "-o", "program", "groups.cu",
                           env={"PATH": os.environ["PATH"]})
            # All seven threads write the same, which is no race that shows.
            self.assertEqual(self.output_of("./program"), "7\n")
