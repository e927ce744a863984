/// \file
/// The bodies' order: a key for each along Hilbert's curve through the cube on their tight box, and
/// the sort by it.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "cuda/device_buffer.hpp"
#include "hilbert.cuh"
#include "tree/arrays.cuh"
#include "tree/root.cuh"

namespace nbody {

constexpr int kMostParts = 256;  ///< that the bodies are divided into to find their bounds

/// Each block adds up a part of the bodies.
/// \param from   the origin of the sums: a body, for those about one far away would lose how wide the
///               bodies lie
/// \param parts  out: of each block
/// Shared memory: a CellSums for each thread. Barriers: 1.
static __global__ void extentsKernel(const real4* __restrict__ bodies,
                                     int count,
                                     const real4* from,
                                     CellSums* parts) {
  const double3 origin = {from->x, from->y, from->z};
  CellSums own = noSums();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const real4 b = bodies[i];
    own = own + sumsOf(boundsOf(b), b.w, b.x - origin.x, b.y - origin.y, b.z - origin.z);
  }
  extern __shared__ CellSums ofThreads[];
  ofThreads[threadIdx.x] = own;
  __syncthreads();  // all threads have theirs
  if (threadIdx.x >= 32) return;
  const CellSums all = sumByWarp(ofThreads, blockDim.x);
  if (threadIdx.x == 0) parts[blockIdx.x] = all;
}

/// How wide bodies lie: sums over parts of them, about one origin; device memory.
struct Extent {
  const CellSums* parts;
  int count;
};

/// How wide all bodies lie.
__device__ inline void setExtent(TreeState& state, const CellSums& all) {
  const double spread = all.mass * (all.xx + all.yy + all.zz) - all.x * all.x - all.y * all.y -
                        all.z * all.z;  // M^2 R^2
  state.radius = spread > 0 ? sqrt(spread) / all.mass : 0;
  state.density = spread > 0 ? all.mass / (state.radius * state.radius) : 1;
}

static __constant__ HilbertTurns theTurns = hilbertTurns();

/// Thread i makes the key of body i; thread 0 writes down the root and the extent of all too.
/// \param parts   as extentsKernel() leaves them; length partCount
/// \param places  out: 0, 1, 2, ...
/// Shared memory: the curve's table, which lanes read at different places, and a CellSums. Barriers: 1.
static __global__ void keysKernel(const real4* __restrict__ bodies,
                                  int count,
                                  const CellSums* __restrict__ parts,
                                  int partCount,
                                  std::uint64_t* keys,
                                  int* places,
                                  TreeState* state) {
  __shared__ HilbertTurns turns;
  extern __shared__ CellSums all[];  // one
  for (int k = threadIdx.x; k < static_cast<int>(sizeof turns); k += blockDim.x)
    turns.byOctant[k] = theTurns.byOctant[k];
  if (threadIdx.x < 32) {
    const CellSums sums = sumByWarp(parts, partCount);
    if (threadIdx.x == 0) all[0] = sums;
  }
  __syncthreads();  // table and sums are whole
  const RootCube root = rootAround(all[0].box);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state->root = root;
    setExtent(*state, all[0]);
  }
  const double3 lower = root.lower;
  const double cellsPerLength = (1 << kKeyLevels) / root.side;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const real4 body = bodies[i];
    keys[i] = hilbertKey(turns,
                         gridPlace(body.x, lower.x, cellsPerLength),
                         gridPlace(body.y, lower.y, cellsPerLength),
                         gridPlace(body.z, lower.z, cellsPerLength));
    places[i] = i;
  }
}

/// Keys and what they belong to, unsorted and sorted.
struct KeySort {
  DeviceBuffer<std::uint64_t> keys{"keys"}, sortedKeys{"sorted keys"};
  DeviceBuffer<int> places{"places"}, order{"the space-filling order"};
  DeviceBuffer<unsigned char> scratch{"scratch of the sort"};

  void reserve(int count) {
    keys.reserve(count);
    sortedKeys.reserve(count);
    places.reserve(count);
    order.reserve(count);
  }
};

/// Sorts \p count keys with their places; those of the same key keep their order.
inline void sortKeys(KeySort& sort, int count) {
  std::size_t bytes = 0;
  const auto call = [&](void* scratch) {
    CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch,
                                               bytes,
                                               sort.keys.data(),
                                               sort.sortedKeys.data(),
                                               sort.places.data(),
                                               sort.order.data(),
                                               count,
                                               0,
                                               3 * kKeyLevels,
                                               stream()));
  };
  call(nullptr);  // only says how many bytes
  call(sort.scratch.reserve(bytes));
}

}  // namespace nbody
