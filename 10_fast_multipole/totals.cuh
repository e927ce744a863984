/// \file
/// Counts of interactions for the report.
#pragma once

#include "06_tree_walk/flop.hpp"
#include "10_fast_multipole/lists.cuh"

namespace nbody::fmm {

/// Kinds of interactions of an evaluation.
enum Total { kCellsOnCells, kCellsOnBodies, kBodiesOnBodies, kTotals };

/// A thread per target counts what acts on it.
static __global__ void totalsKernel(Tree tree, Lists lists, unsigned long long* totals) {
  for (int level = 0; level < lists.levels; ++level) {
    const int* slots = lists.targets + std::size_t(level) * lists.slotCount;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lists.state->targets[level];
         i += gridDim.x * blockDim.x) {
      const int slot = slots[i];
      atomicAdd(totals + kCellsOnCells, lists.far[slot].count);
      if (links(tree.cells)[slot] != kLeafChild) continue;
      const unsigned long long bodies = tree.cells.ranges[slot].y;
      atomicAdd(totals + kCellsOnBodies, bodies * lists.points[slot].count);
      Chain near = lists.near[slot];
      unsigned long long sources = 0;
      for (int k = 0; k < near.count; ++k) {
        if (k > 0 && k % kChunk == 0) near.first = lists.next[near.first];
        sources += tree.cells.ranges[lists.sources[kChunk * near.first + k % kChunk]].y;
      }
      atomicAdd(totals + kBodiesOnBodies, bodies * sources);
    }
  }
}

/// Returns the number of multiply-adds of m2l(), without the derivatives.
constexpr int localProducts(int order) {
  int products = 0;
  for (int a = 1; a <= order; ++a)
    for (int b = 0; b <= order - a; ++b)
      if (b != 1) products += (a + 1) * (a + 2) / 2 * ((b + 1) * (b + 2) / 2);
  return products;
}

/// Returns the report of the last evaluation. Waits for the device.
inline PhaseTimes partsOf(const PhaseClock& clock,
                          const tree::TreeMemory& tree,
                          const FieldMemory& field,
                          DeviceBuffer<unsigned long long>& totals,
                          int order) {
  unsigned long long* counts = totals.reserve(kTotals);
  fillDevice(counts, 0, kTotals * sizeof *counts);
  totalsKernel<<<8 * multiprocessors(), 128, 0, stream()>>>(tree.tree(), field.lists(), counts);
  CUDA_CHECK(cudaGetLastError());
  const auto found = totals.download(0, kTotals);
  const tree::TreeState state = tree.state();
  const double bodies = tree.tree().sorted.count, cells = double(state.leaves) + state.nodes;
  const double cellsOnCells = found[kCellsOnCells], cellsOnBodies = found[kCellsOnBodies],
               bodiesOnBodies = found[kBodiesOnBodies];
  const int cellFlop = 2 * localProducts(order);
  return {
      clock.ms(),
      {{"cells", cells},
       {"cells acting on a cell", cellsOnCells / cells},
       {"cells acting on a body", cellsOnBodies / bodies},
       {"sources a body", bodiesOnBodies / bodies}},
      {},
      cellsOnCells + cellsOnBodies + bodiesOnBodies,
      walk::kLeafFlop * bodiesOnBodies + walk::kNodeFlop * cellsOnBodies + cellFlop * cellsOnCells,
      "at " + std::to_string(walk::kLeafFlop) + " FLOP for a body's pull, " +
          std::to_string(walk::kNodeFlop) + " for a cell's on a body and " +
          std::to_string(cellFlop) + " for a cell's on a cell"};
}

}  // namespace nbody::fmm
