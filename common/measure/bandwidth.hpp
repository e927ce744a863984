/// \file
/// Ceilings of memory, measured with kernels that only read.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// Amounts that the probes read.
struct ProbeSizes {
  int blocks;  ///< number of blocks, of 256 threads each
  int sharedIterations;  ///< iterations per thread, with 16 reads of 16 bytes from shared memory each
  int cachedBytes;  ///< size of an array that fits into the L2 cache, and not into an L1 cache
  int passes;  ///< number of reads of this array
  long long farBytes;  ///< size of an array that does not fit into the L2 cache
};

/// The measured bandwidth of one memory.
struct Bandwidth {
  std::string memory;  ///< "shared", "l2" or "dram"
  long long bytes = 0;  ///< read in one run
  double gbPerS = 0;  ///< GB/s; 0 if it was not measured
  bool right = false;  ///< the kernel read the correct values, as their sum shows
};

/// Returns sizes for the GPU in use; for the executor small ones, which only check the kernels.
ProbeSizes probeSizes();

/// Measures shared memory, L2 cache and device memory. On the executor no time is measured.
/// \param repeats  how often each time is measured
std::vector<Bandwidth> probeBandwidths(const ProbeSizes& sizes, int repeats);

}  // namespace nbody
