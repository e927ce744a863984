"""load_inline(): the CUDA source as a program of the executor's, by the ladder-nvcc that $LADDER_NVCC names."""

import os
import subprocess
import tempfile
import types
from pathlib import Path

import numpy
import torch

MAIN = """
#include <cstdio>
int main(int, char** words) {
  torch::Tensor bodies(std::atoll(words[1]));
  if (std::fread(bodies.data_ptr<float>(), 16, bodies.size(0), stdin) != bodies.size(0)) return 1;
  const torch::Tensor result = FUNCTION(bodies, std::atof(words[2]));
  cudaDeviceSynchronize();
  return std::fwrite(result.data_ptr<float>(), 16, result.size(0), stdout) != result.size(0);
}
"""


def load_inline(name, cpp_sources, cuda_sources, functions, extra_cuda_cflags):
    folder = tempfile.TemporaryDirectory()
    source, program = Path(folder.name, "main.cu"), Path(folder.name, "program")
    source.write_text(cuda_sources + MAIN.replace("FUNCTION", functions[0]))
    include = f"-I{Path(__file__).parents[2]}"
    subprocess.run([os.environ["LADDER_NVCC"], include, "-o", program, source, "-O1", "-std=c++17"], check=True)

    def call(bodies, softening):
        keeps = folder  # until the function is gone
        made = subprocess.run([program, str(len(bodies)), repr(softening)], input=bodies.tobytes(), capture_output=True,
                              check=True).stdout
        return torch.from_numpy(numpy.frombuffer(made, numpy.float32).reshape(bodies.shape))

    return types.SimpleNamespace(**{functions[0]: call})
