/// \file
/// One measurement and check of a study.
#pragma once

#include <optional>
#include <string>

#include "cuda/real.hpp"
#include "measure/timing.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

constexpr double kShortWarmUpMs = 20;  // short, because earlier points keep the clocks up

/// One test with one map for one n.
struct MapPoint {
  std::string map;
  int n = 0;
  bool exact = true;  ///< false: n is beyond the map's range on this device, and nothing is checked
  double threads = 0;  ///< in all launches
  std::optional<Timing> time;  ///< on a GPU, if repeats > 0
  double improvement = 0;  ///< time of the box over this map's; 0 without times
  std::string test;  ///< empty if the study has only one test
  std::string failure;  ///< error that the check found; empty if none

  /// Adds \p threadsOfBlock threads per block of \p grid.
  void addThreads(dim3 grid, int threadsOfBlock) {
    threads += static_cast<double>(grid.x) * grid.y * grid.z * threadsOfBlock;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::triangular
