/// \file
/// Defaults that several steps share: the block, and memory.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/device_array.hpp"

namespace nbody {

constexpr int kMaxBlock = 1024;  ///< threads per block that every device allows
constexpr int kWarpSize = 32;

/// The block that leaves the busiest multiprocessor the fewest threads; of those that come within
/// 5% the largest, for its tile is read by the most. With N = 16,384 and 132 multiprocessors,
/// blocks of 256 would leave half of them idle. Fewer than a warp for each of its four schedulers
/// leave a multiprocessor no sooner done.
inline int balancedBlock(int bodies, int bodiesPerThread, int multiprocessors, int largest) {
  int best = 0;
  long long fewest = 0;
  for (int block = largest; block >= 64; block /= 2) {
    const long long rows = static_cast<long long>(block) * bodiesPerThread;
    const long long blocks = (bodies + rows - 1) / rows;
    const long long busiest = (blocks + multiprocessors - 1) / multiprocessors * block;
    const long long threads = std::max<long long>(busiest, 4 * kWarpSize);
    if (best == 0 || threads * 105 < fewest * 100) {
      best = block;
      fewest = threads;
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
