/// \file
/// Lists 3 and 4 of the paper: a block sums the forces on the bodies of a group, one per thread,
/// from the nodes and leaves of its interaction lists.
#pragma once

#include "06_tree_walk/paper/list_walk.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

/// Returns how many multipoles a block loads at once: one per thread, and in FP64 at most 48 KiB.
__host__ __device__ inline int loadedMultipoles(int threads) {
  return threads < 512 ? threads : 512;
}

/// Arguments of both kernels. Arrays of bodies are in the space-filling order.
struct Evaluation {
  TreeView tree;
  Lists lists;
  int firstGroup;  ///< the group of block 0
  const real4* bodies;  ///< x, y, z, mass
  const int* order;  ///< number of the body at each place
  real softeningSquared;
  real4* sums;  ///< out of nodeForcesKernel: pulls of nodes on each body, x, y, z, 0
  real4* accelerations;  ///< out of leafForcesKernel: x, y, z, 0 of each body
};

/// List 3: block b sums the pulls of the nodes in the list of group firstGroup + b.
/// Shared memory: loadedMultipoles(). Barriers: 2 per such load.
template <bool kQuadrupole>
__global__ void nodeForcesKernel(Evaluation e) {
  const GroupBox group = e.tree.groups[e.firstGroup + blockIdx.x];
  const long long begin = e.lists.begins[e.firstGroup + blockIdx.x].nodes - e.lists.base.nodes;
  const long long end = e.lists.begins[e.firstGroup + blockIdx.x + 1].nodes - e.lists.base.nodes;
  extern __shared__ Multipole shared[];
  const int threads = blockDim.x;
  const int load = loadedMultipoles(threads);
  // One iteration, unless the group has more bodies than the block has threads.
  for (int first = 0; first < group.bodyCount; first += threads) {
    const int i = group.firstBody + first + threadIdx.x;
    const int last = group.firstBody + group.bodyCount - 1;
    const real4 body = e.bodies[min(i, last)];  // a thread past the end repeats the last body
    real3 acceleration = {0, 0, 0};
    for (long long k = begin; k < end; k += load) {
      const int loaded = end - k < load ? static_cast<int>(end - k) : load;
      if (static_cast<int>(threadIdx.x) < loaded)
        loadMultipole<kQuadrupole>(
            e.tree, e.lists.nodes[k + threadIdx.x], e.softeningSquared, shared[threadIdx.x]);
      __syncthreads();  // the multipoles are whole
      for (int j = 0; j < loaded; ++j)
        acceleration =
            kQuadrupole ? quadrupoleInteraction(body, shared[j], acceleration, e.softeningSquared)
                        : interaction(body, shared[j].centre, acceleration, e.softeningSquared);
      __syncthreads();  // and read, before the next overwrite them
    }
    if (i <= last) e.sums[i] = {acceleration.x, acceleration.y, acceleration.z, 0};
  }
}

/// List 4: block b adds the pulls of the leaves in the list of group firstGroup + b.
/// Shared memory: a leaf and a body per thread. Barriers: 1 per load of leaves, 2 of bodies.
[[maybe_unused]] static __global__ void leafForcesKernel(Evaluation e) {
  const GroupBox group = e.tree.groups[e.firstGroup + blockIdx.x];
  const long long begin = e.lists.begins[e.firstGroup + blockIdx.x].leaves - e.lists.base.leaves;
  const long long end = e.lists.begins[e.firstGroup + blockIdx.x + 1].leaves - e.lists.base.leaves;
  const int threads = blockDim.x;
  extern __shared__ real4 sources[];
  int2* leaves = reinterpret_cast<int2*>(sources + threads);
  for (int first = 0; first < group.bodyCount; first += threads) {
    const int i = group.firstBody + first + threadIdx.x;
    const int last = group.firstBody + group.bodyCount - 1;
    const real4 body = e.bodies[min(i, last)];
    const real4 sum = e.sums[min(i, last)];
    real3 acceleration = {sum.x, sum.y, sum.z};
    for (long long k = begin; k < end; k += threads) {
      const int leafCount = end - k < threads ? static_cast<int>(end - k) : threads;
      if (static_cast<int>(threadIdx.x) < leafCount)
        leaves[threadIdx.x] = e.tree.bodies[e.lists.leaves[k + threadIdx.x]];
      __syncthreads();  // the leaves are whole
      for (int j = 0; j < leafCount; ++j) {
        const int2 leaf = leaves[j];  // first body, bodies; read before the barriers below
        for (int s = 0; s < leaf.y; s += threads) {
          const int loaded = min(leaf.y - s, threads);
          if (static_cast<int>(threadIdx.x) < loaded)
            sources[threadIdx.x] = e.bodies[leaf.x + s + threadIdx.x];
          __syncthreads();  // the bodies are whole
          for (int b = 0; b < loaded; ++b)
            acceleration = interaction(body, sources[b], acceleration, e.softeningSquared);
          __syncthreads();  // and read, before the next overwrite them
        }
      }
    }
    if (i <= last)
      e.accelerations[e.order[i]] = {acceleration.x, acceleration.y, acceleration.z, 0};
  }
}

}  // namespace nbody::inline NBODY_PRECISION::walk
