/// \file
/// Finds all cells of the tree at once. Everything follows from one question about each pair of
/// neighbours in the sorted order: which is the smallest cell that holds both?
///
/// Eight bodies with keys of three octal digits. A leaf may have at most three bodies:
///
///     body                                0     1     2     3     4     5     6     7
///     its key                             012   013   072   401   402   405   461   477
///     digits shared with the body before        2     1     0     2     2     1     1
///     smallest cell that holds both             01    0     root  40    40    4     4
///     bodies of that cell                       2     3     8     3     3     5     5
///     a leaf starts here                  yes               yes               yes   yes
///     a node has its thread here                            root              4
///
/// The root and cell 4 have more than three bodies. The root divides first between bodies 2 and 3,
/// cell 4 between 5 and 6. So there are four leaves: 0 to 2, 3 to 5, 6 and 7.
#pragma once

#include <cub/device/device_scan.cuh>

#include "06_tree_walk/hilbert.cuh"
#include "07_device_tree/tree/arrays.cuh"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

using walk::digit;
using walk::kKeyLevels;

/// A group also ends between two neighbours whose smallest common cell has so many groups' bodies.
/// Without this bound one group reaches across the sphere, and walks 15 times as far as the mean.
constexpr int kGroupsWithin = 64;

/// A cell: places \p first to \p end - 1 of the order.
struct Span {
  int first, end, level;
};

/// Returns how many digits two keys begin with in common: levels at which they share a cell.
__device__ inline int sharedDigits(std::uint64_t a, std::uint64_t b) {
  return (__clzll(static_cast<long long>(a ^ b)) - 1) / 3;  // a key has 63 of 64 bits
}

/// Returns the last body from \p from on, in \p direction +1 or -1, that is in the same cell at \p
/// level. The step doubles while it stays in the cell, and is halved afterwards.
__device__ inline int lastInCell(const SortedBodies& sorted, int from, int direction, int level) {
  const int shift = 3 * (kKeyLevels - level);
  const std::uint64_t cell = sorted.keys[from] >> shift;
  const auto inside = [&](int i) {
    return i >= 0 && i < sorted.count && sorted.keys[i] >> shift == cell;
  };
  int step = 1;
  for (; inside(from + direction * step); step *= 2) from += direction * step;
  for (; step > 0; step /= 2)
    if (inside(from + direction * step)) from += direction * step;
  return from;
}

/// Returns the smallest cell that holds both body \p i > 0 and body i - 1.
__device__ inline Span cellAround(const SortedBodies& sorted, int i) {
  const int level = sharedDigits(sorted.keys[i - 1], sorted.keys[i]);
  return {lastInCell(sorted, i - 1, -1, level), lastInCell(sorted, i, 1, level) + 1, level};
}

/// Returns what starts at body \p i, from the smallest cell that holds it and the previous body. If
/// the cell has too many bodies for a leaf, a leaf ends between the two. If the cell also divides
/// here for the first time, the pair stands for the cell, which is a node. So each node has one
/// thread, and a cell with one child has none.
__device__ inline Starts startsAt(const SortedBodies& sorted, const Cells& cells, int i) {
  Starts starts = {i == 0, 0, i % cells.group == 0};
  if (i == 0 || sorted.keys[i - 1] == sorted.keys[i]) return starts;  // equal keys: never divided
  const Span cell = cellAround(sorted, i);
  const int bodies = cell.end - cell.first;
  starts.leaves = bodies >= cells.leaf;
  const bool first = sharedDigits(sorted.keys[cell.first], sorted.keys[i - 1]) > cell.level;
  starts.nodes = starts.leaves && first;
  starts.groups |= bodies >= kGroupsWithin * cells.group;
  return starts;
}

/// Thread i copies body i to its place and writes what starts at it. The last thread clears the
/// element for the totals.
static __global__ void startsKernel(const real4* __restrict__ unsorted,
                                    SortedBodies sorted,
                                    Cells cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > sorted.count) return;
  if (i < sorted.count) sorted.bodies[i] = unsorted[sorted.order[i]];
  cells.starts[i] = i < sorted.count ? startsAt(sorted, cells, i) : Starts{0, 0, 0};
}

struct AddStarts {
  __host__ __device__ Starts operator()(const Starts& a, const Starts& b) const { return a + b; }
};

/// Numbers leaves, nodes and groups: replaces what starts at \p count bodies by prefix sums.
inline void exclusiveScan(Starts* starts, int count, DeviceBuffer<unsigned char>& scratch) {
  std::size_t bytes = 0;
  const auto call = [&](void* storage) {
    CUDA_CHECK(cub::DeviceScan::ExclusiveScan(
        storage, bytes, starts, starts, AddStarts(), Starts{0, 0, 0}, count, stream()));
  };
  call(nullptr);  // returns only the number of bytes
  call(scratch.reserve(bytes));
}

/// Thread i writes what starts at body i under its number, and clears a node's links. The last
/// thread writes the totals, which are 0 if there is no memory for the nodes.
static __global__ void cellsKernel(SortedBodies sorted, Cells cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > sorted.count) return;
  const bool last = i == sorted.count;
  const Starts here = cells.starts[i];
  const Starts next = last ? here + Starts{1, 0, 1} : cells.starts[i + 1];
  if (next.leaves > here.leaves) cells.leafFirst[here.leaves] = i;
  if (next.groups > here.groups) cells.groupFirst[here.groups] = i;
  const int4 none = {kNoChild, kNoChild, kNoChild, kNoChild};
  if (next.nodes > here.nodes && here.nodes < cells.nodeCapacity) {
    cells.secondChild[here.nodes] = i;
    for (int k : {0, 1}) cells.links[firstLinkWord(here.nodes) + k] = none;
  }
  if (!last) return;
  for (int k : {0, 1}) cells.links[k] = none;  // of the node above the tree
  TreeState& state = *cells.state;
  const bool fits = here.nodes <= cells.nodeCapacity;
  state.leaves = fits ? here.leaves : 0;
  state.nodes = fits ? here.nodes : 0;
  state.groups = fits ? here.groups : 0;
  state.nodesRequested = max(state.nodesRequested, here.nodes);
  state.nextGroup = state.fullAt = 0;
}

}  // namespace nbody::inline NBODY_PRECISION::tree
