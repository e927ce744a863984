/// \file
/// Counters of a fused walk. The walk is compiled for one of these classes. A program that also
/// needs something else of a walk, such as the work for each group, has its own class.
#pragma once

#include "06_tree_walk/walk/cells.cuh"

namespace nbody::walk {

/// Counts nothing, and leaves nothing of itself in the compiled walk.
struct NoCounter {
  /// Numbers that a warp has found for one group.
  struct Found {
    __device__ void addOpened(int) {}
    __device__ void addCells(int) {}
    __device__ void addLeaves(int, int) {}
  };
  __device__ void add(const Found&, int, int, bool) const {}
};

/// Counts interactions and what the walks of all groups find.
struct WalkCounter {
  static constexpr int kTotals = 5;

  struct Found {
    unsigned long long opened = 0, cells = 0, leaves = 0, sources = 0;

    __device__ void addOpened(int nodes) { opened += nodes; }
    __device__ void addCells(int count) { cells += count; }
    __device__ void addLeaves(int count, int bodies) {
      leaves += count;
      sources += bodies;
    }
  };

  /// Pulls of cells, pulls of bodies; cells that act as a whole, leaves and nodes that are opened, of
  /// all groups. All 0 before the walk.
  unsigned long long* totals;

  /// Adds what one warp has found for \p bodies bodies of a group.
  /// \param first  whether these are the group's first bodies: a large group is walked several times
  __device__ void add(const Found& found, int /*group*/, int bodies, bool first) const {
    atomicAdd(totals, found.cells * bodies);
    atomicAdd(totals + 1, found.sources * bodies);
    if (!first) return;
    atomicAdd(totals + 2, found.cells);
    atomicAdd(totals + 3, found.leaves);
    atomicAdd(totals + 4, found.opened);
  }
};

}  // namespace nbody::walk
