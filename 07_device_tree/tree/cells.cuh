/// \file
/// The cells of the tree, all at once. Everything follows from one question about neighbours in the
/// sorted order: which is the smallest cell that holds both?
#pragma once

#include <cub/device/device_scan.cuh>

#include "cuda/device_buffer.hpp"
#include "hilbert.cuh"
#include "tree/arrays.cuh"

namespace nbody {

/// A group ends at a face between cells where these two have so many times its bodies: with no such
/// bound one reaches across the sphere and walks 15 times as far as the mean.
constexpr int kGroupsWithin = 64;

/// A cell: places \p first to \p end - 1 of the order.
struct Span {
  int first, end, level;
};

/// Digits that two keys begin with in common: the levels below the root at which they share a cell.
__device__ inline int sharedDigits(std::uint64_t a, std::uint64_t b) {
  return (__clzll(static_cast<long long>(a ^ b)) - 1) / 3;  // a key has 63 of 64 bits
}

/// The last body from \p from on, in the \p direction +1 or -1, that is in its cell at \p level: by
/// steps that double while they stay in the cell, and are halved when they have left it.
__device__ inline int lastInCell(const TreeArrays& tree, int from, int direction, int level) {
  const int shift = 3 * (kKeyLevels - level);
  const std::uint64_t cell = tree.keys[from] >> shift;
  const auto inside = [&](int i) {
    return i >= 0 && i < tree.count && tree.keys[i] >> shift == cell;
  };
  int step = 1;
  for (; inside(from + direction * step); step *= 2) from += direction * step;
  for (; step > 0; step /= 2)
    if (inside(from + direction * step)) from += direction * step;
  return from;
}

/// The smallest cell that holds both body \p i > 0 and the one before it.
__device__ inline Span cellAround(const TreeArrays& tree, int i) {
  const int level = sharedDigits(tree.keys[i - 1], tree.keys[i]);
  return {lastInCell(tree, i - 1, -1, level), lastInCell(tree, i, 1, level) + 1, level};
}

/// What begins with body \p i, by the smallest cell around it and the body before. Too many bodies
/// for a leaf: a leaf ends between the two. They are moreover the first two that it divides: the pair
/// stands for the cell, which is a node. So each node has one thread, and a cell with one child none.
__device__ inline Begins beginsWith(const TreeArrays& tree, int i) {
  Begins begins = {i == 0, 0, i % tree.group == 0};
  if (i == 0 || tree.keys[i - 1] == tree.keys[i]) return begins;  // equal keys are never divided
  const Span cell = cellAround(tree, i);
  const int bodies = cell.end - cell.first;
  begins.leaves = bodies >= tree.leaf;
  const bool first = sharedDigits(tree.keys[cell.first], tree.keys[i - 1]) > cell.level;
  begins.nodes = begins.leaves && first;
  begins.groups |= bodies >= kGroupsWithin * tree.group;
  return begins;
}

/// Thread i brings body i to its place and says what begins with it; the last makes room for the sums
/// over all.
static __global__ void beginsKernel(TreeArrays tree, const real4* __restrict__ unsorted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > tree.count) return;
  if (i < tree.count) tree.bodies[i] = unsorted[tree.order[i]];
  tree.begins[i] = i < tree.count ? beginsWith(tree, i) : Begins{0, 0, 0};
}

struct AddBegins {
  __host__ __device__ Begins operator()(const Begins& a, const Begins& b) const { return a + b; }
};

/// Numbers leaves, nodes and groups: replaces what begins with a body by what begins before it.
inline void numberCells(TreeArrays& tree, DeviceBuffer<unsigned char>& scratch) {
  std::size_t bytes = 0;
  const auto call = [&](void* room) {
    CUDA_CHECK(cub::DeviceScan::ExclusiveScan(room,
                                              bytes,
                                              tree.begins,
                                              tree.begins,
                                              AddBegins(),
                                              Begins{0, 0, 0},
                                              tree.count + 1,
                                              stream()));
  };
  call(nullptr);  // only says how many bytes
  call(scratch.reserve(bytes));
}

/// Thread i writes down what begins with body i under its number, and clears a node's links; the last
/// says how many there are of each, of a tree without room none.
static __global__ void cellsKernel(TreeArrays tree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > tree.count) return;
  const bool last = i == tree.count;
  const Begins here = tree.begins[i];
  const Begins next = last ? here + Begins{1, 0, 1} : tree.begins[i + 1];
  if (next.leaves > here.leaves) tree.leafFirst[here.leaves] = i;
  if (next.groups > here.groups) tree.groupFirst[here.groups] = i;
  const int4 none = {kNoChild, kNoChild, kNoChild, kNoChild};
  if (next.nodes > here.nodes && here.nodes < tree.nodeRoom) {
    tree.nodeGap[here.nodes] = i;
    for (int k : {0, 1}) tree.links[wordOf(here.nodes) + k] = none;
  }
  if (!last) return;
  for (int k : {0, 1}) tree.links[k] = none;  // of the node above the tree
  TreeState& state = *tree.state;
  const bool fits = here.nodes <= tree.nodeRoom;
  state.leaves = fits ? here.leaves : 0;
  state.nodes = fits ? here.nodes : 0;
  state.groups = fits ? here.groups : 0;
  state.nodesWanted = max(state.nodesWanted, here.nodes);
  state.nextGroup = state.fullAt = 0;
}

}  // namespace nbody
