/// \file
/// The paper's section 5: each test with each map, checked, and timed on a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "05_triangular_map/study/map_point.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

struct StudyOptions {
  std::vector<int> sizes;  ///< numbers of bodies, n
  std::vector<std::string> maps;  ///< names from studyMaps(); "box" first
  std::vector<std::string> tests;  ///< names from studyTests()
  int block = 16;  ///< rho: a block has rho x rho threads
  int repeats = 5;  ///< measurements of each time; 0: only checks
  std::uint64_t seed = 1;
};

struct StudyPoint : MapPoint {
  int launches = 0;
  /// Cost of a thread of this map, in threads of the box: (threads of box / threads) / improvement.
  /// For lambda and large n this is 2 / I in the paper's equations 6 to 8.
  double penalty = 0;
  std::string result;  ///< result of the test, in words
};

/// Returns the names of the maps or tests, in the order of the tables.
std::vector<std::string> studyMaps();
std::vector<std::string> studyTests();

/// Throws BadInput if the largest n needs more memory than is free.
void checkStudyMemory(const StudyOptions& options);

/// Runs all tests with all maps for \p n bodies.
std::vector<StudyPoint> studySize(const StudyOptions& options, int n);

}  // namespace nbody::inline NBODY_PRECISION::triangular
