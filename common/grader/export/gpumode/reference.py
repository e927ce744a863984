"""What the forces of a submission are compared with. @COMMIT@"""

import math

import numpy
import torch

from scenes import SCENES
from task import input_t, output_t

SOFTENING = 0.01
UNIT_ROUNDOFF = 2.0**-24  # FP32
ALL, SAMPLE = 4096, 1000  # up to so many bodies all are compared, of more so many
PAIRS_AT_ONCE = 1 << 22


def generate_input(bodies: int, scene: str, seed: int) -> input_t:
    made = SCENES[scene](bodies, seed).astype(numpy.float32)
    return torch.from_numpy(made).to("cuda" if torch.cuda.is_available() else "cpu"), SOFTENING


def sums(data, chosen):
    """Of the chosen bodies, in FP64: x, y, z of the acceleration, and the sum of the lengths of its terms."""
    bodies, softening = data
    x, y, z, mass = bodies.double().unbind(1)
    found = []
    rows = max(1, PAIRS_AT_ONCE // len(x))
    for first in range(0, len(chosen), rows):
        i = chosen[first:first + rows]
        r = [p[None, :] - p[i][:, None] for p in (x, y, z)]
        r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
        softened = r2 + softening * softening
        s = mass / (softened * torch.sqrt(softened))
        found.append(torch.stack([*((s * p).sum(1) for p in r), (s * torch.sqrt(r2)).sum(1)], 1))
    return torch.cat(found)


def ref_kernel(data: input_t) -> output_t:
    bodies = data[0]
    return sums(data, torch.arange(len(bodies), device=bodies.device)).float()


def tolerance(n, unitRoundoff):
@TOLERANCE@


def check_implementation(data: input_t, output: output_t) -> tuple[bool, str]:
    bodies = data[0]
    count = len(bodies)
    if not isinstance(output, torch.Tensor) or output.shape != bodies.shape or output.dtype != torch.float32:
        return False, f"the output must be a torch.float32 tensor of shape ({count}, 4)"
    some = range(count) if count <= ALL else [(count - 1) * k // (SAMPLE - 1) for k in range(SAMPLE)]
    chosen = torch.tensor(list(some), device=bodies.device)
    expected = sums(data, chosen)
    errors = (output[chosen][:, :3].double() - expected[:, :3]).square().sum(1).sqrt()
    allowed = tolerance(count, UNIT_ROUNDOFF)
    right = errors <= allowed * expected[:, 3]  # not so of NaN
    if bool(right.all()) and bool(torch.isfinite(output[:, :3]).all()):
        return True, ""
    wrong = [body for body, fine in zip(some, right.tolist()) if not fine]
    if not wrong:
        return False, "an acceleration is not a finite number"
    k = right.tolist().index(False)
    share = float((errors / expected[:, 3])[k])
    return False, (f"{len(wrong)} of {len(some)} bodies compared are wrong; body {wrong[0]}: the error is {share:.2g} of the "
                   f"forces on it, rounding explains {allowed:.2g}")
