/// \file
/// Defaults that several steps share: the block, and memory.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/device_array.hpp"

namespace nbody {

constexpr int kMaxBlock = 1024;  ///< threads per block that every device allows
constexpr int kWarpSize = 32;

/// The block that leaves the busiest multiprocessor the fewest bodies; of equals the largest, for
/// its tile is read by the most threads. With N = 16,384 and 132 multiprocessors, blocks of 256
/// would leave half of them idle.
inline int balancedBlock(int bodies, int bodiesPerThread, int multiprocessors) {
  int best = 0;
  long long fewest = 0;
  for (int block : {512, 256, 128, 64}) {
    const long long rows = static_cast<long long>(block) * bodiesPerThread;
    const long long blocks = (bodies + rows - 1) / rows;
    const long long busiest = (blocks + multiprocessors - 1) / multiprocessors * rows;
    if (best == 0 || busiest < fewest) {
      best = block;
      fewest = busiest;
    }
  }
  return best;
}

constexpr int kMaxMemoryMib = 65536;

/// A quarter of the device's free memory, in MiB: a power of two.
inline int quarterOfFreeMemory() {
  const std::size_t quarter = freeDeviceBytes() >> 22;
  return static_cast<int>(std::bit_floor(std::clamp<std::size_t>(quarter, 1, kMaxMemoryMib)));
}

}  // namespace nbody
