/// \file
/// The paper's section 5: each test by each map, checked, and timed on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/timing.hpp"

namespace nbody {

struct StudyOptions {
  std::vector<int> sizes;  ///< numbers of bodies, n
  std::vector<std::string> maps;  ///< of studyMaps(); "box" first
  std::vector<std::string> tests;  ///< of studyTests()
  int block = 16;  ///< rho: a block has rho x rho threads
  int repeats = 5;  ///< measurements of each time; 0: checks alone
  std::uint64_t seed = 1;
};

/// One test by one map for one n.
struct StudyPoint {
  std::string test;
  std::string map;
  int n = 0;
  bool exact = true;  ///< false: this n is beyond the map's range on this device; not checked
  int launches = 0;
  double threads = 0;  ///< of all launches
  std::optional<Timing> time;  ///< on a GPU, where asked for
  double improvement = 0;  ///< time of the box over this map's; 0 without times
  /// What a thread of this map costs, in threads of the box: (threads of box / threads) over the
  /// improvement, which for lambda and large n is the 2 / I of the paper's equations 6 to 8.
  double penalty = 0;
  std::string result;  ///< of the test, in words
  std::string failure;  ///< what the check found wrong; empty where nothing
};

/// Names of the maps and the tests, in the order of the tables.
const std::vector<std::string>& studyMaps();
const std::vector<std::string>& studyTests();

/// Throws BadInput where the largest n needs more memory than is free.
void checkStudyMemory(const StudyOptions& options);

/// All tests by all maps for \p n bodies.
std::vector<StudyPoint> studySize(const StudyOptions& options, int n);

}  // namespace nbody
