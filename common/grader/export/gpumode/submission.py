#!POPCORN leaderboard @NAME@

# N-Body Ladder, @WHAT@. Between the two lines of === is your part; computeForces() launches the kernel.

import torch
from torch.utils.cpp_extension import load_inline

from task import input_t, output_t

CUDA = r"""
@SUITE@
// === @FILE@

@KERNEL@
// ===

@BINDING@"""

module = load_inline(
    name="@NAME@",
    cpp_sources="torch::Tensor forces(torch::Tensor bodies, double softening);",
    cuda_sources=CUDA,
    functions=["forces"],
    extra_cuda_cflags=["-O3", "-DNBODY_GPU"],
)


def custom_kernel(data: input_t) -> output_t:
    bodies, softening = data
    return module.forces(bodies, softening)
