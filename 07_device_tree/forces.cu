/// \file
/// Step 07, the tree built where it is walked: one question about each pair of neighbours in the
/// sorted order, "which is the smallest cell that holds both?", gives every leaf, node and group, and
/// one prefix sum numbers them. Nothing that the host must know in between: a whole step is one graph.
///
/// Parent: 06_tree_walk, whose fused walk it uses. What changed: the host's part. Predicted limiter:
/// issue, in the walk; of few bodies the latency of the sort and of 40 launches.
#include "driver/step.hpp"
#include "fused/fused_walk.cuh"
#include "tree/device_octree.cuh"

namespace nbody {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  DeviceOctree tree;
  DeviceBuffer<real> felt{"previous accelerations"};
  DeviceBuffer<unsigned long long> totals{"the numbers of interactions"};
  int feltBodies = 0;  ///< that have an element of `felt`
};

namespace {

/// Of each body the length of its acceleration in the step before; 0 before the first. Null where it
/// is not asked for.
real* feltBefore(Workspace& memory, int bodies, const Options& options) {
  if (options.opening != Opening::felt) return nullptr;
  real* felt = memory.felt.reserve(bodies);
  if (std::exchange(memory.feltBodies, bodies) != bodies)
    fillDevice(felt, 0, bodies * sizeof(real));
  return felt;
}

/// \param totals  out: as of FusedWalk; null: not counted
/// \param after   called with the name of each part once it is on the stream
template <class After>
void buildAndWalk(const DeviceArray<real4>& bodies,
                  real softeningSquared,
                  const Options& options,
                  DeviceArray<real4>& accelerations,
                  Workspace& memory,
                  unsigned long long* totals,
                  After after) {
  const int count = static_cast<int>(bodies.size());
  real* felt = feltBefore(memory, count, options);
  memory.tree.build(bodies, options, felt, after);
  const TreeArrays& tree = memory.tree.arrays();
  FusedWalk<OpensByReach> walk = {memory.tree.view(),
                                  tree.bodies,
                                  tree.order,
                                  softeningSquared,
                                  accelerations.data(),
                                  {tree.reaches, tree.eases}};
  walk.felt = felt;
  walk.capacity = fusedStackFor(kKeyLevels);  // enough for any tree
  walk.groups = &tree.state->groups;
  walk.nextGroup = &tree.state->nextGroup;
  walk.fullAt = &tree.state->fullAt;
  walk.totals = totals;
  launchFusedWalk(walk, blocksFor(count, options.group), options.quadrupoles());
  after("walk");
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

bool lackedRoom(Workspace& workspace) { return workspace.tree.lackedRoom(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  buildAndWalk(
      bodies, softeningSquared, options, accelerations, workspace, nullptr, [](const char*) {});
}

PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                 real softeningSquared,
                                 const Options& options,
                                 DeviceArray<real4>& accelerations,
                                 Workspace& workspace) {
  PhaseClock clock(true);
  unsigned long long* totals = workspace.totals.reserve(5);
  fillDevice(totals, 0, 5 * sizeof *totals);
  clock.restart();
  buildAndWalk(
      bodies, softeningSquared, options, accelerations, workspace, totals, [&](const char* part) {
        clock.end(part);
      });
  const TreeState state = workspace.tree.state();
  const TreeArrays& tree = workspace.tree.arrays();
  const OpensByReach rule = {tree.reaches, tree.eases};
  if (state.groups > 0)
    countOpened(workspace.tree.view(), rule, state.groups, kKeyLevels, totals + 4);
  const std::vector<unsigned long long> sums = workspace.totals.download(0, 5);
  const double groups = state.groups;
  return treeParts(clock,
                   bodies.size(),
                   {{"cells", double(state.leaves) + state.nodes},
                    {"groups", groups},
                    {"nodes a group", sums[2] / groups},
                    {"leaves a group", sums[3] / groups},
                    {"opened a group", sums[4] / groups}},
                   sums[0],
                   sums[1],
                   options.quadrupoles());
}

}  // namespace nbody
