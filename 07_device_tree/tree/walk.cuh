/// \file
/// Step 06's walk on a tree built on the device.
#pragma once

#include "06_tree_walk/flop.hpp"
#include "06_tree_walk/walk/fused_walk.cuh"
#include "07_device_tree/tree/memory.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

/// Returns a walk of \p tree for launchFusedWalk().
/// \param rule     when a cell is opened
/// \param counter  what the walk counts
/// \param levels   levels of nodes below the node above the tree
template <class Rule, class Counter>
walk::FusedWalk<Rule, Counter> walkOf(const Tree& tree,
                                      real softeningSquared,
                                      real4* accelerations,
                                      Rule rule,
                                      Counter counter,
                                      int levels = kKeyLevels) {
  TreeState* state = tree.cells.state;
  return {.tree = tree.view(),
          .bodies = tree.sorted.bodies,
          .order = tree.sorted.order,
          .softeningSquared = softeningSquared,
          .accelerations = accelerations,
          .rule = rule,
          .counter = counter,
          .capacity = walk::fusedStackFor(levels),  // enough for any tree
          .groups = &state->groups,
          .nextGroup = &state->nextGroup,
          .fullAt = &state->fullAt};
}

/// Returns the report of a tree and of a walk with clearedCounter(). Waits for the device.
inline PhaseTimes partsOf(const PhaseClock& clock,
                          const TreeMemory& memory,
                          const DeviceBuffer<unsigned long long>& totals,
                          bool quadrupoles) {
  const TreeState state = memory.state();
  const double cells = double(state.leaves) + state.nodes, groups = state.groups;
  return walk::walkParts(clock,
                         memory.tree().sorted.count,
                         {{"cells", cells}, {"groups", groups}},
                         groups,
                         totals.download(0, walk::WalkCounter::kTotals),
                         quadrupoles);
}

}  // namespace nbody::inline NBODY_PRECISION::tree
