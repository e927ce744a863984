/// \file
/// Queues that a warp of the fused walk keeps in shared memory: cells and leaves that act on its
/// group, until there are enough to keep every lane busy.
#pragma once

#include "06_tree_walk/walk/cells.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kTargets = 2;  // bodies of the group per lane

/// The bodies of a group whose forces a lane sums.
struct LaneTargets {
  real4 body[kTargets];
  real3 acceleration[kTargets];
};

/// A warp's queues. If a queue has kLanes or more elements, kLanes are removed before more are
/// added. An iteration of the walk adds at most one per lane.
struct WarpQueues {
  Multipole cells[kLanes];  ///< loaded, for all lanes to read
  real4 sources[kLanes];  ///< bodies, likewise
  int2 leaves[2 * kLanes];  ///< opened leaves: first body, number of bodies
  int accepted[2 * kLanes];  ///< indices of cells that act as a whole
};

/// Appends the \p value of each lane that \p have one to the \p size elements of \p queue, in the
/// order of lanes. Returns the new size.
template <class T>
__device__ inline int append(T* queue, int size, bool have, T value) {
  const unsigned lanes = __ballot_sync(kAllLanes, have);
  const unsigned before = lanes & ((1u << threadIdx.x % kLanes) - 1);
  if (have) queue[size + __popc(before)] = value;
  return size + __popc(lanes);
}

/// Adds the pulls of the \p count <= 32 cells with these \p indices.
template <bool kQuadrupole>
__device__ inline void sumCells(const TreeView& tree,
                                const int* indices,
                                int count,
                                Multipole* cells,
                                LaneTargets& targets,
                                real softeningSquared) {
  const int lane = threadIdx.x % kLanes;
  if (lane < count) loadMultipole<kQuadrupole>(tree, indices[lane], softeningSquared, cells[lane]);
  __syncwarp();  // the cells are whole
  for (int j = 0; j < count; ++j)
    for (int t = 0; t < kTargets; ++t) {
      real3& a = targets.acceleration[t];
      a = kQuadrupole ? quadrupoleInteraction(targets.body[t], cells[j], a, softeningSquared)
                      : interaction(targets.body[t], cells[j].centre, a, softeningSquared);
    }
  __syncwarp();  // and read, before the next overwrite them
}

/// Adds the pulls of the bodies of \p leafCount <= 32 \p leaves. Returns the number of bodies.
__device__ inline int sumLeaves(const real4* __restrict__ bodies,
                                const int2* leaves,
                                int leafCount,
                                real4* sources,
                                LaneTargets& targets,
                                real softeningSquared) {
  const int lane = threadIdx.x % kLanes;
  const int2 leaf = lane < leafCount ? leaves[lane] : int2{0, 0};
  int end = leaf.y;  // end of this leaf's bodies, if those of all leaves are in a row
  for (int step = 1; step < kLanes; step *= 2) {
    const int before = __shfl_up_sync(kAllLanes, end, step);
    if (lane >= step) end += before;
  }
  const int count = __shfl_sync(kAllLanes, end, kLanes - 1);
  const int shift = leaf.x + leaf.y - end;  // from a place in the row to the body's place
  for (int first = 0; first < count; first += kLanes) {
    const int place = first + lane;
    int owner = 0;  // number of leaves that end at or before the place
    for (int step = kLanes / 2; step > 0; step /= 2)
      if (__shfl_sync(kAllLanes, end, owner + step - 1) <= place) owner += step;
    const int body = place + __shfl_sync(kAllLanes, shift, owner);
    if (place < count) sources[lane] = bodies[body];
    __syncwarp();  // the bodies are whole
    const int loaded = min(kLanes, count - first);
    for (int j = 0; j < loaded; ++j)
      for (int t = 0; t < kTargets; ++t) {
        real3& a = targets.acceleration[t];
        a = interaction(targets.body[t], sources[j], a, softeningSquared);
      }
    __syncwarp();  // and read, before the next overwrite them
  }
  return count;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
