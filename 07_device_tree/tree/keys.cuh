/// \file
/// The order of the bodies: the cube that the root divides, a key for each body along Hilbert's
/// curve in this cube, and the sort by key.
#pragma once

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "06_tree_walk/hilbert.cuh"
#include "07_device_tree/tree/arrays.cuh"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

using walk::gridPlace;
using walk::hilbertKey;
using walk::hilbertTurns;
using walk::HilbertTurns;
using walk::kKeyLevels;

constexpr int kMostParts = 256;  ///< parts of the bodies with a box each

/// Each block finds the box of a part of the bodies.
/// \param parts  out: one per block
/// Shared memory: a Bounds per thread. Barriers: 1.
[[maybe_unused]] static __global__ void boundsKernel(const real4* __restrict__ bodies,
                                                     int count,
                                                     Bounds* parts) {
  Bounds own = noBounds();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    own = own + boundsOf(bodies[i]);
  extern __shared__ Bounds ofThreads[];
  const Bounds all = sumOverBlock(own, noBounds(), ofThreads);
  if (threadIdx.x == 0) parts[blockIdx.x] = all;
}

/// One warp finds the box of all bodies and writes the cube on it, which the root divides.
[[maybe_unused]] static __global__ void rootKernel(const Bounds* parts,
                                                   int partCount,
                                                   TreeState* state) {
  const Bounds box = sumByWarp(parts, partCount, noBounds());
  const real3 low = box.lower, high = box.upper;
  const double side =
      max(double{high.x} - low.x, max(double{high.y} - low.y, double{high.z} - low.z));
  if (threadIdx.x == 0) state->root = {{low.x, low.y, low.z}, side};
}

static __constant__ HilbertTurns theTurns = hilbertTurns();

/// Thread i computes the key of body i.
/// \param places  out: 0, 1, 2, ...
/// Shared memory: the curve's table, because lanes read different elements. Barriers: 1.
static __global__ void keysKernel(const real4* __restrict__ bodies,
                                  int count,
                                  const TreeState* state,
                                  std::uint64_t* keys,
                                  int* places) {
  __shared__ HilbertTurns turns;
  for (int k = threadIdx.x; k < static_cast<int>(sizeof turns); k += blockDim.x)
    turns.byOctant[k] = theTurns.byOctant[k];
  __syncthreads();  // the table is whole
  const double3 lower = state->root.lower;
  const double cellsPerLength = (1 << kKeyLevels) / state->root.side;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const real4 body = bodies[i];
    keys[i] = hilbertKey(turns,
                         gridPlace(body.x, lower.x, cellsPerLength),
                         gridPlace(body.y, lower.y, cellsPerLength),
                         gridPlace(body.z, lower.z, cellsPerLength));
    places[i] = i;
  }
}

/// Keys and the places of their bodies, before the sort and after it. Up to kMostMerged bodies are sorted by
/// merging, in place. A radix sort needs eight passes for any number of bodies: on an H100, 65,536 bodies take 86 us by
/// radix and 51 us by merging, and 1,048,576 bodies take the same time (docs/results/experiments/sort.log).
struct KeySort {
  static constexpr int kMostMerged = 1 << 19;

  DeviceBuffer<std::uint64_t> unsortedKeys{"keys"}, sortedKeys{"sorted keys"};
  DeviceBuffer<int> places{"places"}, order{"the space-filling order"};
  DeviceBuffer<unsigned char> scratch{"scratch of the sort"};
  bool inPlace = false;

  void reserve(int count) {
    inPlace = count <= kMostMerged;
    if (!inPlace) unsortedKeys.reserve(count), places.reserve(count);
    sortedKeys.reserve(count);
    order.reserve(count);
  }

  /// Returns where keysKernel() writes keys.
  std::uint64_t* keysIn() { return (inPlace ? sortedKeys : unsortedKeys).data(); }
  /// Returns where it writes their bodies' places.
  int* placesIn() { return (inPlace ? order : places).data(); }
};

struct LessKey {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};

/// Sorts \p count keys with their places. Bodies with the same key keep their order.
/// \param unusedBits  lowest bits that are 0 in all keys; a radix sort has a pass for every 8 others
inline void sortByKey(KeySort& sort, int count, int unusedBits = 0) {
  std::uint64_t* keys = sort.sortedKeys.data();
  int* order = sort.order.data();
  std::size_t bytes = 0;
  const auto merge = [&](void* scratch) {
    CUDA_CHECK(cub::DeviceMergeSort::StableSortPairs(
        scratch, bytes, keys, order, count, LessKey(), stream()));
  };
  const auto radix = [&](void* scratch) {
    CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch,
                                               bytes,
                                               sort.keysIn(),
                                               keys,
                                               sort.placesIn(),
                                               order,
                                               count,
                                               unusedBits,
                                               3 * kKeyLevels,
                                               stream()));
  };
  const auto call = [&](void* scratch) { sort.inPlace ? merge(scratch) : radix(scratch); };
  call(nullptr);  // returns only the number of bytes
  call(sort.scratch.reserve(bytes));
}

}  // namespace nbody::inline NBODY_PRECISION::tree
