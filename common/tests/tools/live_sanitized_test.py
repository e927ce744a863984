"""100,000 hostile requests and frames to a program built with ASan and UBSan, in a folder of its own.

python3 -m common.tests tools.live_sanitized_test FOLDER"""

import os
import subprocess
import sys

from common.base.command_line import ROOT

FOLDER = sys.argv.pop(1)
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"

subprocess.run(["cmake", "-S", ROOT, "-B", FOLDER, "-G", "Ninja", "-DNBODY_BACKEND=cpu", "-DNBODY_TESTS=OFF",
                f"-DCMAKE_CXX_FLAGS={SANITIZERS}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"], check=True, stdout=subprocess.DEVNULL)
subprocess.run(["ninja", "-C", FOLDER, "simd"], check=True, stdout=subprocess.DEVNULL)
os.environ["ASAN_OPTIONS"] = "quarantine_size_mb=8"  # what is freed and kept would look like a leak
sys.argv[1:1] = [f"{FOLDER}/common/simd", "100000"]

from common.tests.tools.live_hostile_test import TheServer, setUpModule  # noqa: E402, F401: it takes these arguments
