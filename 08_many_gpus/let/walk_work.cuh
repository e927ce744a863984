/// \file
/// The work of a rank's walks: the pulls of all bodies, and the FLOP of each group, by which the bodies are dealt out.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "08_many_gpus/exchanges.hpp"

namespace nbody {

/// Counts the pulls of all walks and, in FLOP for one of its bodies, the work of each group.
struct WorkCounter {
  static constexpr int kTotals = 2;

  /// The counts of one warp for one group, in 32 bits each, because the walk needs its registers.
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

/// The sum of what each rank has, on all.
inline double summed(const Communicator& ranks, double own) {
  const std::vector<double> all = ranks.allGather(own);
  return std::accumulate(all.begin(), all.end(), 0.0);
}

/// The counts of the last walk of a rank that was counted, on its GPU. A walk that counts takes 6% longer.
class WalkWork {
 public:
  WalkWork() { totals_.upload(std::vector<Work>(WorkCounter::kTotals)); }

  /// Sets all counts to zero before a walk over \p groups groups. With 0 groups there is no walk.
  WorkCounter begin(int groups) {
    groups_ = groups;
    const WorkCounter counter = {totals_.data(), flopOfGroups_.reserve(groups)};
    fillDevice(counter.totals, 0, WorkCounter::kTotals * sizeof(Work));
    if (groups > 0) fillDevice(counter.flopOfGroups, 0, groups * sizeof(Work));
    return counter;
  }

  /// Pulls of cells, pulls of bodies.
  std::vector<Work> totals() const { return totals_.download(0, WorkCounter::kTotals); }

  /// The work of the rank with the most, in that of the mean.
  double busiestRank(const Communicator& ranks) const {
    const std::vector<Work> own = totals();
    const std::vector<double> works =
        ranks.allGather(double(walk::kNodeFlop) * own[0] + double(walk::kLeafFlop) * own[1]);
    const double mean = std::accumulate(works.begin(), works.end(), 0.0) / ranks.size();
    return *std::max_element(works.begin(), works.end()) / mean;
  }

  /// The work of the group with the most, in that of the mean: one warp walks it.
  double busiestGroup(const Communicator& ranks) const {
    std::vector<Work> works = flopOfGroups_.download(0, groups_);
    std::erase(works, Work(0));  // there is room for more groups than there are
    const double sum = std::accumulate(works.begin(), works.end(), 0.0);
    const double most = works.empty() ? 0 : *std::max_element(works.begin(), works.end());
    // One after another, as on all ranks: C++ leaves the order within an expression open.
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

}  // namespace nbody
