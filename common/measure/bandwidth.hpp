/// \file
/// Ceilings of memory: how fast kernels that do nothing but read get what they read.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// How much a probe reads.
struct ProbeSizes {
  int blocks;  ///< of 256 threads
  int sharedIterations;  ///< of 16 reads of 16 bytes from shared memory, in each thread
  int cachedBytes;  ///< an array that the L2 cache holds, and a multiprocessor's L1 does not
  int passes;  ///< over it
  long long farBytes;  ///< an array that the L2 cache does not hold
};

struct Bandwidth {
  std::string memory;  ///< "shared", "l2" or "dram"
  long long bytes = 0;  ///< read in one run
  double gbPerS = 0;  ///< 0 where it was not measured
  bool right = false;  ///< the sum of all that was read is what is there
};

/// Sizes for the GPU in use; for the executor small ones, which check the kernels.
ProbeSizes probeSizes();

/// Shared memory, L2 cache, device memory. On the executor no time is measured.
/// \param repeats  of each time
std::vector<Bandwidth> probeBandwidths(const ProbeSizes& sizes, int repeats);

}  // namespace nbody
