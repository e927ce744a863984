/// \file
/// Counts of interactions for the report.
#pragma once

#include "06_tree_walk/flop.hpp"
#include "10_fast_multipole/tuned/targets.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

/// Counts of an evaluation.
enum Total { kTargets, kCellsOnTargets, kCellsOnBodies, kBodiesOnBodies, kTotals };

/// A thread per target counts what acts on it.
static __global__ void totalsKernel(Tree tree,
                                    Targets targets,
                                    Lists lists,
                                    unsigned long long* totals) {
  for (int level = 0; level < targets.levels; ++level)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lists.state->targets[level];
         i += gridDim.x * blockDim.x) {
      const int number = targets.at(level, i);
      TargetLists of = targets.lists[number];
      atomicAdd(totals + kTargets, 1);
      atomicAdd(totals + kCellsOnTargets, of.far.count);
      if (level > 0) continue;
      const unsigned long long bodies = targets.of[number].bodies;
      atomicAdd(totals + kCellsOnBodies, bodies * of.points.count);
      unsigned long long sources = 0;
      for (int k = 0; k < of.near.count; ++k) {
        if (k > 0 && k % kChunk == 0) of.near.first = lists.next[of.near.first];
        sources += tree.cells.ranges[lists.sources[kChunk * of.near.first + k % kChunk]].y;
      }
      atomicAdd(totals + kBodiesOnBodies, bodies * sources);
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
  totalsKernel<<<8 * multiprocessors(), 128, 0, stream()>>>(
      tree.tree(), field.targets(), field.lists(), counts);
  CUDA_CHECK(cudaGetLastError());
  const auto found = totals.download(0, kTotals);
  const tree::TreeState state = tree.state();
  const double bodies = tree.tree().sorted.count, cells = double(state.leaves) + state.nodes;
  const double cellsOnTargets = found[kCellsOnTargets], cellsOnBodies = found[kCellsOnBodies],
               bodiesOnBodies = found[kBodiesOnBodies];
  const int cellFlop = 2 * localProducts(order);
  return {clock.ms(),
          {{"cells", cells},
           {"targets", double(found[kTargets])},
           {"cells acting on a target", cellsOnTargets / found[kTargets]},
           {"cells acting on a body", cellsOnBodies / bodies},
           {"sources a body", bodiesOnBodies / bodies}},
          {},
          cellsOnTargets + cellsOnBodies + bodiesOnBodies,
          walk::kLeafFlop * bodiesOnBodies + walk::kNodeFlop * cellsOnBodies +
              cellFlop * cellsOnTargets,
          "at " + std::to_string(walk::kLeafFlop) + " FLOP for a body's pull, " +
              std::to_string(walk::kNodeFlop) + " for a cell's on a body and " +
              std::to_string(cellFlop) + " for a cell's on a target"};
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
