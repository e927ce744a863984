/// \file
/// Work of a rank's walks: the pulls of all bodies, and each group's FLOP per body.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "11_distributed_tree/rank_work.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Counts the pulls of all walks, and the work of each group in FLOP per body.
struct WorkCounter {
  static constexpr int kTotals = 2;

  /// Counts of one warp for one group. 32 bits each, because the walk needs its registers.
  struct Found {
    unsigned cells = 0, sources = 0;

    __device__ void addOpened(int) {}
    __device__ void addCells(int count) { cells += count; }
    __device__ void addLeaves(int, int bodies) { sources += bodies; }
  };

  Work* totals;  ///< pulls of cells, pulls of bodies
  Work* flopOfGroups;

  __device__ void add(const Found& found, int group, int bodies, bool) const {
    const Work cells = found.cells, sources = found.sources;
    atomicAdd(flopOfGroups + group, walk::kNodeFlop * cells + walk::kLeafFlop * sources);
    atomicAdd(totals, cells * bodies);
    atomicAdd(totals + 1, sources * bodies);
  }
};

/// Returns the sum over all ranks. Collective.
inline double summed(const Communicator& ranks, double own) {
  const std::vector<double> all = ranks.allGather(own);
  return std::accumulate(all.begin(), all.end(), 0.0);
}

/// Counts of this rank's last counted walk, on its GPU.
class WalkWork {
 public:
  WalkWork() { totals_.upload(std::vector<Work>(WorkCounter::kTotals)); }

  /// Sets all counts to 0 before a walk over \p groups groups. With 0 groups there is no walk.
  WorkCounter begin(int groups) {
    groups_ = groups;
    const WorkCounter counter = {totals_.data(), flopOfGroups_.reserve(groups)};
    fillDevice(counter.totals, 0, WorkCounter::kTotals * sizeof(Work));
    if (groups > 0) fillDevice(counter.flopOfGroups, 0, groups * sizeof(Work));
    return counter;
  }

  /// Returns the pulls of cells and the pulls of bodies.
  std::vector<Work> totals() const { return totals_.download(0, WorkCounter::kTotals); }

  /// Returns the largest work of a rank, divided by the mean. Collective.
  double busiestRank(const Communicator& ranks) const {
    const std::vector<Work> own = totals();
    const std::vector<double> works =
        ranks.allGather(double(walk::kNodeFlop) * own[0] + double(walk::kLeafFlop) * own[1]);
    const double mean = std::accumulate(works.begin(), works.end(), 0.0) / ranks.size();
    return *std::max_element(works.begin(), works.end()) / mean;
  }

  /// Returns the largest work of a group, which one warp walks, divided by the mean. Collective.
  double busiestGroup(const Communicator& ranks) const {
    std::vector<Work> works = flopOfGroups_.download(0, groups_);
    std::erase(works, Work(0));  // there is memory for more groups
    const double sum = std::accumulate(works.begin(), works.end(), 0.0);
    const double most = works.empty() ? 0 : *std::max_element(works.begin(), works.end());
    // Separate statements, because all ranks must make the calls in the same order.
    const double greatest = ranks.maximum(most);
    const double allGroups = summed(ranks, static_cast<double>(works.size()));
    const double allWork = summed(ranks, sum);
    return greatest * allGroups / allWork;
  }

 private:
  int groups_ = 0;
  DeviceBuffer<Work> flopOfGroups_{"FLOP of groups"};
  DeviceBuffer<Work> totals_{"the numbers of interactions"};
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
