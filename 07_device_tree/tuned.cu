/// \file
/// Step 07 with its faster rule: a cell is opened later if its pull is small compared with the
/// group's previous acceleration. The root cube changes in each step. opening.md explains both.
#include "07_device_tree/tuned.cuh"

#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::tree::tuned {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  TunedTree tree;
  DeviceBuffer<real> previousAcceleration{"previous accelerations"};
  int bodies = 0;  ///< number of elements of previousAcceleration
  DeviceBuffer<unsigned long long> totals{"the numbers of interactions"};
};

namespace {

/// Returns the length of each body's last acceleration; 0 before the first evaluation. Null if the
/// rule does not need it.
real* lastAccelerationOf(Workspace& memory, int bodies, const Options& options) {
  if (options.opening != Opening::relative) return nullptr;
  real* last = memory.previousAcceleration.reserve(bodies);
  if (std::exchange(memory.bodies, bodies) != bodies) fillDevice(last, 0, bodies * sizeof(real));
  return last;
}

/// \param counter  class that counts: NoCounter or WalkCounter
template <class Counter>
void computeTreeForces(const DeviceArray<real4>& bodies,
                       real softeningSquared,
                       const Options& options,
                       DeviceArray<real4>& accelerations,
                       Workspace& memory,
                       Counter counter,
                       PhaseClock& clock) {
  const int count = static_cast<int>(bodies.size());
  real* last = lastAccelerationOf(memory, count, options);
  const Extent extent = memory.tree.extentOf(bodies, bodies.data(), options);
  memory.tree.build(extent, bodies, options, last, clock);
  const auto walk = walkOf(
      memory.tree.tree(), softeningSquared, accelerations.data(), memory.tree.rule(last), counter);
  launchFusedWalk(walk, blocksFor(count, options.group), options.quadrupoles());
  clock.end("walk");
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void forget(Workspace& memory) { memory.bodies = 0; }

bool lackedMemory(Workspace& memory) { return memory.tree.lackedMemory(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory,
                   PhaseTimes* phases) {
  PhaseClock clock(phases != nullptr);
  if (phases == nullptr)
    return computeTreeForces(
        bodies, softeningSquared, options, accelerations, memory, walk::NoCounter(), clock);
  const walk::WalkCounter counter = walk::clearedCounter(memory.totals);
  computeTreeForces(bodies, softeningSquared, options, accelerations, memory, counter, clock);
  *phases = partsOf(clock, memory.tree.memory(), memory.totals, options.quadrupoles());
}

}  // namespace nbody::inline NBODY_PRECISION::tree::tuned
