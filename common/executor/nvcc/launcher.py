"""As a compiler's launcher: `ladder_nvcc.py --launcher [--asan] g++ FLAG... -c forces.cu -o forces.o`.

CMake's CXX_COMPILER_LAUNCHER for files with kernels: the same command, by way of the translator.
"""

import subprocess
import tempfile
from pathlib import Path

from common.executor.nvcc.compile import compile_cuda


def launch(words):
    asan = "-DNBODY_CHECK_ASAN" in words
    first = next((i for i, word in enumerate(words) if word.startswith("-") or word.endswith(".cu")), len(words))
    compiler, rest = words[:first], words[first:]
    sources = [word for word in rest if word.endswith(".cu")]
    if "-c" not in rest or "-o" not in rest or len(sources) != 1:
        return subprocess.run(words).returncode
    output = rest[rest.index("-o") + 1]
    flags, skip = [], False
    for i, word in enumerate(rest):
        if skip:
            skip = False
        elif word in ("-o", "-x"):
            skip = True
        elif word not in ("-c", sources[0]):
            flags.append(word)
    with tempfile.TemporaryDirectory() as folder:
        compile_cuda(compiler, [*flags, "-D__CUDACC__=1", "-D__CUDA_ARCH__=900"], sources[0], output, folder, asan,
                     whole_program=True)
    return 0
