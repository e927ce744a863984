// The host baseline of step 06, `host_tree`: the same tree, walked on all cores of the host, with
// the options and the report of every step.
#include "06_tree_walk/flop.hpp"
#include "06_tree_walk/host/host_walk.hpp"
#include "06_tree_walk/options.hpp"
#include "base/parallel.hpp"
#include "bodies/vectors.hpp"
#include "driver/host_simulation.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

/// \param timed  whether to return the report
PhaseTimes hostTreeForces(const std::vector<float4>& bodies,
                          double softening,
                          const TreeOptions& options,
                          std::vector<float4>& accelerations,
                          bool timed) {
  const bool quadrupoles = options.quadrupoles();
  HostPulls pulls;
  PhaseClock clock(timed, false);
  const std::vector<Double4> positions = converted<Double4>(bodies);
  const Octree tree = buildOctree(positions, options.leaf, options.group);
  clock.end("build");
  accelerations = converted<float4>(treeForces(
      tree, positions, softening, options.theta, quadrupoles, 0, timed ? &pulls : nullptr));
  clock.end("walk and forces");
  if (!timed) return {};
  std::vector<Metric> metrics = metricsOf(tree);
  metrics.push_back({"threads", static_cast<double>(threadCount(0))});
  const double count = static_cast<double>(bodies.size());
  return treeParts(clock, count, metrics, pulls.nodes, pulls.bodies, quadrupoles);
}

std::unique_ptr<Simulation> makeHostTree(int count,
                                         double softening,
                                         const StepOptions& stepOptions) {
  const auto& options = dynamic_cast<const HostTreeOptions&>(stepOptions);
  const auto forces = [=](bool timed) {
    return
        [=](const std::vector<float4>& bodies, float squared, std::vector<float4>& accelerations) {
          return hostTreeForces(
              bodies, softeningOf(softening, squared), options, accelerations, timed);
        };
  };
  return makeHostSimulation(count, softening, forces(false), forces(true));
}

[[maybe_unused]] const bool kLinked =
    link({"host_tree", false, false, true, std::make_unique<HostTreeOptions>, makeHostTree});

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::walk
