/// \file
/// How many cycles the loops of issue.cu take on a multiprocessor.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// One loop and its time.
struct IssueLoop {
  std::string kernel;  ///< its template's name
  std::vector<int> arguments;  ///< of the template
  std::string what;  ///< what it is a loop of
  int iterations;  ///< of the loop as compiled
  int warpsPerScheduler;
  long long cycles;  ///< from the first warp's start to the last one's end
};

/// All loops, on a GPU; each the median of its blocks and of \p repeats launches.
std::vector<IssueLoop> measureLoops(int repeats);

}  // namespace nbody
