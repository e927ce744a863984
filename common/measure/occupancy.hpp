/// \file
/// The kernels that some work launches, and how many of their blocks a multiprocessor holds, according to the
/// driver.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace nbody {

/// A launch of a kernel, and what it needs on a multiprocessor.
struct KernelLaunch {
  std::string symbol;  ///< mangled; empty before CUDA 12.3, which cannot tell
  std::array<unsigned, 3> grid;  ///< blocks
  std::array<unsigned, 3> block;  ///< threads
  int registers;  ///< per thread
  int staticSharedBytes;  ///< per block
  int dynamicSharedBytes;  ///< per block
  int localBytes;  ///< per thread: values that did not fit into its registers
  int blocks;  ///< blocks that a multiprocessor can hold at once
  int warps;  ///< warps in these blocks
};

/// Returns the kernels that \p work puts on the suite's stream, in no fixed order. The work is captured and does
/// not run. Only in builds for a GPU.
std::vector<KernelLaunch> launchesOf(const std::function<void()>& work);

/// Returns the name of a mangled symbol, for example "forcesKernel<64, 2>".
std::string shortName(const std::string& symbol);

}  // namespace nbody
