/// \file
/// Loops of straight-line arithmetic, to learn what keeps a scheduler from issuing an instruction in
/// every cycle: what those of operand_loop.cuh and of force_loop.cuh have in common.
#pragma once

#include "cuda/cuda.hpp"

namespace nbody {

constexpr int kBlock = 512;  // one block a multiprocessor: 4 warps on each of its schedulers
constexpr int kTile = 256;  // sources in shared memory

}  // namespace nbody
