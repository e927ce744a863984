/// \file
/// Measures how many cycles the loops of issue.cu take on a multiprocessor.
#pragma once

#include <string>
#include <vector>

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

/// One loop and its time.
struct IssueLoop {
  std::string kernel;  ///< name of its template
  std::vector<int> arguments;  ///< arguments of its template
  std::string what;  ///< the loop in words
  int iterations;  ///< iterations, as compiled
  int warpsPerScheduler;
  long long cycles;  ///< from the first warp's start to the last one's end
};

/// Times all loops on a GPU. Each time is the median over blocks and over \p repeats launches.
std::vector<IssueLoop> measureLoops(int repeats);

}  // namespace nbody::inline NBODY_PRECISION::unrolled
