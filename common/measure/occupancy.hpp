/// \file
/// The kernels that some work launches, and how many of their blocks a multiprocessor holds by the driver.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace nbody {

struct KernelLaunch {
  std::string symbol;  ///< mangled; empty before CUDA 12.3, which cannot tell
  std::array<unsigned, 3> grid;  ///< blocks
  std::array<unsigned, 3> block;  ///< threads
  int registers;  ///< of a thread
  int staticSharedBytes;  ///< of a block
  int dynamicSharedBytes;
  int localBytes;  ///< of a thread: what its registers did not hold
  int blocks;  ///< that a multiprocessor can hold at once
  int warps;  ///< in them
};

/// The kernels that \p work puts on the suite's stream, in some order; it is captured and not run. GPU
/// builds only.
std::vector<KernelLaunch> launchesOf(const std::function<void()>& work);

/// forcesKernel<64, 2> of a mangled symbol.
std::string shortName(const std::string& symbol);

}  // namespace nbody
