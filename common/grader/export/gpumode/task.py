"""The types of N-Body Ladder's task @NAME@."""

from typing import TypedDict, TypeVar

import torch

# x, y, z and mass of N bodies, FP32, N by 4, contiguous, on the GPU; the softening length
input_t = TypeVar("input_t", bound=tuple[torch.Tensor, float])
# x, y, z of their accelerations, G = 1, and a number that nobody reads: FP32, N by 4
output_t = TypeVar("output_t", bound=torch.Tensor)


class TestSpec(TypedDict):
    bodies: int
    scene: str
    seed: int
