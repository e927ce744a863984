/// \file
/// Defaults that several steps share: the block, and memory.
#pragma once

#include <algorithm>
#include <bit>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "cuda/device_array.hpp"

namespace nbody {

constexpr int kMaxBlock = 1024;  ///< threads per block that every device allows
constexpr int kWarpSize = 32;

/// Returns a block size that leaves the busiest multiprocessor little to do. Tries \p largest and its halves down to
/// 64, and takes a smaller block only if it saves the busiest multiprocessor more than 5% of its threads:
/// a larger block's tile serves more threads. Fewer threads than four warps count as four warps, because a
/// multiprocessor has four schedulers, and each needs a warp. With N = 16,384 and 132 multiprocessors,
/// blocks of 256 would leave half of them idle.
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

/// Chooses the bodies per thread if \p bodies is 0: \p best, or fewer if a block of \p block threads has too few
/// registers. Throws BadInput if it has too few for the number given.
/// \param largestBlock  threads of the largest block for which a kernel is compiled, by bodies of a thread
inline void fitBodiesPerThread(int& bodies, int best, int block, int (*largestBlock)(int bodies)) {
  if (bodies == 0)
    for (bodies = best; block > largestBlock(bodies);) bodies /= 2;
  if (block > largestBlock(bodies))
    throw BadInput(
        formatted("--block: %d bodies in a thread take the registers of a block of at most %d "
                  "threads, not %d",
                  bodies, largestBlock(bodies), block));
}

constexpr int kMaxMemoryMib = 65536;

/// Returns a quarter of the device's free memory, in MiB, rounded down to a power of two.
inline int quarterOfFreeMemory() {
  const std::size_t quarter = freeDeviceBytes() >> 22;
  return static_cast<int>(std::bit_floor(std::clamp<std::size_t>(quarter, 1, kMaxMemoryMib)));
}

}  // namespace nbody
