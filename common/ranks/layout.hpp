/// \file
/// Bodies of each rank: how many it has, and where they are among all.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace nbody {

/// Counts and begins by rank, as MPI_Scatterv and similar functions expect them.
struct Layout {
  /// \param shares  a step's: its `ranks`, and `count(rank)` and `begin(rank)` of each
  template <class Shares>
  Layout(const Shares& shares) {
    for (int rank = 0; rank < shares.ranks; ++rank) {
      counts.push_back(shares.count(rank));
      begins.push_back(shares.begin(rank));
    }
  }

  int ranks() const { return static_cast<int>(counts.size()); }
  int bodies() const { return std::accumulate(counts.begin(), counts.end(), 0); }
  bool even() const { return std::count(counts.begin(), counts.end(), counts[0]) == ranks(); }

  std::vector<int> counts, begins;
};

}  // namespace nbody
