"""No class is defined in two ways in one program: steps 08 and 09, which include other steps, compiled with g++'s -Wodr.

The first argument is a build folder, whose compiler is used.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from common.base.command_line import ROOT

BUILD = Path(sys.argv.pop(1)).resolve()


def compiler():
    cache = (BUILD / "CMakeCache.txt").read_text()
    return next(line.split("=", 1)[1] for line in cache.splitlines() if line.startswith("CMAKE_CXX_COMPILER:"))


class OneDefinition(unittest.TestCase):
    def test_linked_with_what_each_file_says_of_its_classes(self):
        if "Free Software" not in subprocess.run([compiler(), "--version"], capture_output=True, text=True).stdout:
            self.skipTest("only g++ has -Wodr")
        with tempfile.TemporaryDirectory() as folder:
            # -O0: only the classes are compared. LDFLAGS may name LLVM's linker, which does not read g++'s objects.
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DNBODY_BACKEND=cpu", "-DNBODY_TESTS=OFF",
                            f"-DCMAKE_CXX_COMPILER={compiler()}", "-DCMAKE_CXX_FLAGS=-O0 -flto -Wodr -Werror=odr",
                            "-DCMAKE_CXX_FLAGS_RELEASE=", "-DCMAKE_EXE_LINKER_FLAGS="], check=True, capture_output=True)
            built = subprocess.run(["cmake", "--build", folder, "--target", "08_many_gpus", "09_tuned"], capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, (built.stdout + built.stderr)[-4000:])
        self.assertNotIn("-Wodr", built.stdout + built.stderr)
