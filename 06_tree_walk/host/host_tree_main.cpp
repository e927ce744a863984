// The host baseline of step 06, `host_tree`: the same tree, walked on all cores of the host, with
// the options and the report of every step.
#include "base/parallel.hpp"
#include "bodies/convert.hpp"
#include "driver/host_simulation.hpp"
#include "driver/run_program.hpp"
#include "flop.hpp"
#include "host/host_walk.hpp"
#include "options.hpp"

namespace nbody {

namespace {

PhaseTimes partsOf(const Octree& tree,
                   const HostPulls& pulls,
                   bool quadrupoles,
                   const PhaseClock& clock) {
  const double nodes = static_cast<double>(pulls.nodes);
  const double sources = static_cast<double>(pulls.bodies);
  const double bodies = static_cast<double>(tree.order.size());
  const int nodeFlop = quadrupoles ? kNodeFlop : kLeafFlop;
  return {clock.ms(),
          {{"threads", static_cast<double>(threadCount(0))},
           {"cells", static_cast<double>(tree.cells.size())},
           {"depth", static_cast<double>(tree.depth)},
           {"groups", static_cast<double>(tree.groups.size())},
           {"nodes a body", nodes / bodies},
           {"sources a body", sources / bodies}},
          nodes + sources,
          kLeafFlop * sources + nodeFlop * nodes,
          treeFlopConvention(nodeFlop)};
}

/// \param timed  whether to say what was done
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
  return timed ? partsOf(tree, pulls, quadrupoles, clock) : PhaseTimes{};
}

std::unique_ptr<Simulation> makeHostTree(int count,
                                         double softening,
                                         const StepOptions& stepOptions) {
  const auto& options = dynamic_cast<const HostTreeOptions&>(stepOptions);
  const auto forces = [=](bool timed) {
    return [=](const std::vector<float4>& bodies, float, std::vector<float4>& accelerations) {
      return hostTreeForces(bodies, softening, options, accelerations, timed);
    };
  };
  return makeHostSimulation(count, softening, forces(false), forces(true));
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  const Program program = {
      .name = "host_tree",
      .doublePrecision = false,
      .options = std::make_unique<HostTreeOptions>,
      .device = [](bool) { return hostDevice(); },
      .simulation = makeHostTree,
      .deviceBytesPerBody = 0,
  };
  return runProgram(argc, argv, program);
}
