/// \file
/// When bodies are to be dealt out anew.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace nbody {

/// Watches the busiest rank's work, which grows where bodies have come to lie unevenly, or among
/// another rank's. What it says depends on nothing else, so it is the same on all ranks.
class Strain {
 public:
  /// Bodies are dealt out; \p byWork: by that of the last walk, not evenly.
  void dealt(bool byWork) {
    *this = {};
    byWork_ = byWork;
  }

  /// Adds the work of a walk, by rank. Whether a deal is due.
  bool add(const std::vector<double>& work) {
    sums_.resize(work.size());
    for (std::size_t rank = 0; rank < work.size(); ++rank) sums_[rank] += work[rank];
    if (++walks_ < (byWork_ ? kWalks : 1)) return false;
    const double busiest = *std::max_element(sums_.begin(), sums_.end()) / walks_;
    const double all = std::accumulate(sums_.begin(), sums_.end(), 0.0) / walks_;
    if (fair_ == 0) fair_ = byWork_ ? busiest : all / static_cast<double>(work.size());
    sums_.clear();
    walks_ = 0;
    return busiest > kMost * fair_;
  }

 private:
  /// Over which the work is averaged: each walk is of another tree, for the root differs.
  static constexpr int kWalks = 8;
  static constexpr double kMost = 1.05;  ///< of what was fair

  bool byWork_ = false;
  std::vector<double> sums_;
  int walks_ = 0;
  double fair_ = 0;  ///< the busiest rank's work when all was as even as can be; 0: not known yet
};

}  // namespace nbody
