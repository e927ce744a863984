"""A compiler's launcher: `ladder_nvcc.py --launcher g++ FLAG... -c forces.cu -o forces.o`.

CMake calls it as CXX_COMPILER_LAUNCHER, and it translates the file first. Another launcher, such as ccache, may come before
the compiler. With --sides as the first word, it refuses calls between host and device as nvcc does.
"""

import os
import subprocess
import tempfile

from common.executor.nvcc.compile import OWN, compile_cuda
from common.executor.nvcc.toolchain import definitions, thrust_flags


SIDES = "--sides"


def parts(words):
    """Returns the compiler's command, its flags, the file, and the object."""
    first = next((i for i, word in enumerate(words) if word.startswith("-") or word.endswith(".cu")), len(words))
    flags, files, output, rest = [], [], None, iter(words[first:])
    for word in rest:
        if word == "-o":
            output = next(rest, None)
        elif word == "-x":
            next(rest, None)
        elif word.endswith(".cu"):
            files.append(word)
        elif word != "-c":
            flags.append(word)
    return words[:first], flags, files, output


def launch(words):
    sides = words[:1] == [SIDES]
    words = words[sides:]
    compiler, flags, files, output = parts(words)
    if "-c" not in words or output is None or len(files) != 1:
        return subprocess.run(words).returncode
    includes = ["-isystem", os.path.join(OWN, "include"), "-include", "cuda_runtime.h", *(thrust_flags() or [])]
    with tempfile.TemporaryDirectory() as folder:
        compile_cuda(compiler, [*flags, *definitions(), *includes], files[0], output, folder,
                     whole_program=True, sides=sides, build=os.getcwd())
    return 0
