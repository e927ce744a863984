/// \file
/// Counters of a fused walk. The walk is compiled for one of these classes, or for a class of the
/// program, for example one that counts the work per group.
#pragma once

#include "06_tree_walk/walk/cells.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

/// Counts nothing, and leaves nothing in the compiled walk.
struct NoCounter {
  /// Numbers that a warp found for one group.
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

  /// Sums over all groups: pulls of cells, pulls of bodies, cells that act as a whole, leaves,
  /// opened nodes. Must be 0 before the walk.
  unsigned long long* totals;

  /// Adds what one warp found for \p bodies bodies of a group.
  /// \param first  whether these are the group's first bodies: a large group walks several times
  __device__ void add(const Found& found, int /*group*/, int bodies, bool first) const {
    atomicAdd(totals, found.cells * bodies);
    atomicAdd(totals + 1, found.sources * bodies);
    if (!first) return;
    atomicAdd(totals + 2, found.cells);
    atomicAdd(totals + 3, found.leaves);
    atomicAdd(totals + 4, found.opened);
  }
};

}  // namespace nbody::inline NBODY_PRECISION::walk
