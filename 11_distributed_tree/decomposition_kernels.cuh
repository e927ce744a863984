/// \file
/// Kernels of the decomposition: work per body, keys that divide it evenly, borders, and bodies
/// packed in the space-filling order.
#pragma once

#include "11_distributed_tree/decomposition.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Each warp divides the work of a group among its bodies. A group's walk takes the time of one body's,
/// however many walk together.
/// \param ofGroups  FLOP for one body of each group
/// \param ofBodies  out: by body
static __global__ void workKernel(Tree tree, const Work* ofGroups, unsigned* ofBodies) {
  const int warps = gridDim.x * blockDim.x / 32;
  for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < tree.cells.state->groups;
       g += warps) {
    const GroupBox group = tree.groups[g];
    for (int k = threadIdx.x % 32; k < group.bodyCount; k += 32)
      ofBodies[tree.sorted.order[group.firstBody + k]] =
          1 + static_cast<unsigned>(ofGroups[g] / group.bodyCount);
  }
}

/// Thread k copies the work of the body at place k to this place.
static __global__ void sortWorkKernel(const int* order,
                                      int count,
                                      const unsigned* ofBodies,
                                      Work* sorted) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) sorted[k] = ofBodies[order[k]];
}

/// Returns the index of the first of \p count ascending values that is not below \p value.
template <class T>
__device__ inline int placeOf(const T* values, int count, T value) {
  int first = 0;
  while (count > 0) {
    const int half = count / 2;
    if (values[first + half] < value) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

/// Thread s finds the key that has (s + 1/2) / kSamples of the work before it.
/// \param upTo  work of all bodies up to each place, that place included
static __global__ void samplesKernel(const std::uint64_t* keys,
                                     const Work* upTo,
                                     int count,
                                     Samples* samples) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  const Work all = upTo[count - 1];
  const Work before = all / kSamples * s + all % kSamples * s / kSamples + all / (2 * kSamples);
  samples->keys[s] = keys[placeOf(upTo, count, before + 1)];
  if (s == 0) samples->work = all;
}

/// Thread b finds the first body of rank b + 1.
/// \param borders  smallest key of every rank except the first
static __global__ void bordersKernel(const std::uint64_t* keys,
                                     int count,
                                     const std::uint64_t* borders,
                                     int borderCount,
                                     int* firsts) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < borderCount) firsts[b] = placeOf(keys, count, borders[b]);
}

/// Thread k packs the body at place k.
static __global__ void packKernel(const real4* bodies,
                                  const real4* velocities,
                                  const real* previousAccelerations,
                                  const int* indices,
                                  const unsigned* work,
                                  const int* order,
                                  int count,
                                  MigratingBody* travellers) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int i = order[k];
  const real4 v = velocities[i];
  travellers[k] = {bodies[i], {v.x, v.y, v.z}, previousAccelerations[i], indices[i], work[i]};
}

/// Thread i unpacks body i.
static __global__ void unpackKernel(const MigratingBody* travellers,
                                    int count,
                                    real4* bodies,
                                    real4* velocities,
                                    real* previousAccelerations,
                                    int* indices,
                                    unsigned* work) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const MigratingBody t = travellers[i];
  bodies[i] = t.body;
  velocities[i] = {t.velocity.x, t.velocity.y, t.velocity.z, 0};
  previousAccelerations[i] = t.previousAcceleration;
  indices[i] = t.index;
  work[i] = t.work;
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
