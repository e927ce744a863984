/// \file
/// One measurement and check of the studies.
#pragma once

#include <optional>
#include <string>

#include "cuda/real.hpp"
#include "measure/timing.hpp"

namespace nbody::triangular {

constexpr double kShortWarmUpMs = 20;  // the points before keep the clocks up

/// One test by one map for one n.
struct MapPoint {
  std::string map;
  int n = 0;
  bool exact = true;  ///< false: this n is beyond the map's range on this device; not checked
  double threads = 0;  ///< of all launches
  std::optional<Timing> time;  ///< on a GPU, where asked for
  double improvement = 0;  ///< time of the box over this map's; 0 without times
  std::string test;  ///< empty where the study has one alone
  std::string failure;  ///< what the check found wrong; empty where nothing

  /// Adds \p threadsOfBlock threads for each block of \p grid.
  void addThreads(dim3 grid, int threadsOfBlock) {
    threads += static_cast<double>(grid.x) * grid.y * grid.z * threadsOfBlock;
  }
};

}  // namespace nbody::triangular
