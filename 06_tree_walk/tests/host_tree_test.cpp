// The host's tree code: the accuracy of its cells, its program, and the scenes galaxy and merger
// carried on in time by it.
#include "06_tree_walk/host/host_walk.hpp"
#include "bodies/galaxy.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"
#include "driver/host_simulation.hpp"
#include "galaxy_checks.hpp"
#include "physics/baselines.hpp"
#include "physics/conserved.hpp"
#include "physics/reference.hpp"
#include "program_run.hpp"

using namespace nbody;
using namespace nbody::walk;

namespace {

constexpr double kWide = 1;  // as wide as the system

/// Sum of squared errors, and how many pulls it took.
double errorsOf(const Bodies& bodies, bool quadrupoles, HostPulls& pulls) {
  const Octree tree = buildOctree(bodies.positions, 16, 16);
  const auto forces = treeForces(tree, bodies.positions, kWide, 0.6, quadrupoles, 0, &pulls);
  const auto direct =
      referenceAccelerations(bodies, kWide, sampleOf(bodies.count(), bodies.count()));
  double sum = 0;
  for (int i = 0; i < bodies.count(); ++i) sum += std::pow(distance(forces[i], direct[i]), 2);
  return sum;
}

/// Forces of the tree at theta = 0.5, as the host's simulation takes them.
template <bool kQuadrupoles>
void hostTreeForces(const std::vector<float4>& bodies, float softeningSquared,
                    std::vector<float4>& accelerations) {
  const std::vector<Double4> positions = converted<Double4>(bodies);
  const Octree tree = buildOctree(positions, 32, 32);
  accelerations = converted<float4>(
      treeForces(tree, positions, std::sqrt(softeningSquared), 0.5, kQuadrupoles));
}

Bodies advanced(const Bodies& bodies, HostForces forces, double timeStep, int steps) {
  const auto simulation =
      makeHostSimulation(bodies.count(), GalaxyModel::kSoftening, std::move(forces));
  return advanced(*simulation, bodies, timeStep, steps);
}

double energyOf(const Bodies& bodies) {
  return conservedQuantities(bodies, GalaxyModel::kSoftening).energy();
}

}  // namespace

TEST_CASE("the galaxy holds together for a quarter of a rotation") {
  constexpr int kCount = 6000;
  const Bodies start = makeGalaxy(kCount, 1);
  const Bodies end = advanced(start, hostTreeForces<true>, 1.0 / 16, 124);
  const auto ranges = galaxyComponents(kCount);
  for (const BodyRange& range : ranges) {
    INFO(range.name);
    // Half-mass radii of 1,000 bodies are good to about 4%.
    CHECK(std::abs(halfMassRadius(end, range) / halfMassRadius(start, range) - 1) <= 0.06);
  }
  const std::vector<Double4> none(ranges[1].count);
  for (double R : {1.0, 2.0, 3.0}) {
    const Ring before = ringOf(start, ranges[1], none, 0.75 * R, 1.25 * R);
    const Ring after = ringOf(end, ranges[1], none, 0.75 * R, 1.25 * R);
    INFO("R = " << R);
    CHECK(std::abs(after.meanSpeed / before.meanSpeed - 1) <= 0.06);
    CHECK(std::abs(double(after.bodies) / before.bodies - 1) <= 0.15);
  }
}

TEST_CASE("a merger keeps its energy by quadrupoles nearly as by direct summation") {
  // At a step so short that leapfrog's own error does not hide the trees'.
  const Bodies start = makeMerger(3000, 1);
  const double before = energyOf(start);
  const auto driftOf = [&](HostForces forces) {
    return std::abs(energyOf(advanced(start, forces, 1.0 / 64, 50)) / before - 1);
  };
  const double direct = driftOf(simdForces);
  const double quadrupoles = driftOf(hostTreeForces<true>);
  const double monopoles = driftOf(hostTreeForces<false>);
  INFO("direct " << direct << ", quadrupoles " << quadrupoles << ", monopoles " << monopoles);
  // Measured 6e-7, 9e-7 and 3.5e-5.
  CHECK(direct <= 3e-6);
  CHECK(quadrupoles <= 5e-6);
  CHECK(monopoles <= 2e-4);
  CHECK(quadrupoles <= monopoles / 4);
}

TEST_CASE("softening as wide as the system leaves quadrupoles better than monopoles") {
  HostPulls good, poor;
  const Bodies bodies = makePlummer(2000, 3);
  CHECK(errorsOf(bodies, true, good) < errorsOf(bodies, false, poor) / 16);
  CHECK(good.nodes > 0);
  CHECK(good.bodies > 0);
  CHECK(good.nodes + good.bodies < 2000 * 2000);
  CHECK(good.nodes == poor.nodes);
}

TEST_CASE("the host's tree code is timed in parts and checked") {
  const Outcome outcome =
      runWell(NBODY_HOST_TREE_PROGRAM, "--bodies 3000 --steps 2 --repeats 2 --theta 1.5 --leaf 8");
  CHECK(outcome.document["device"]["kind"] == "host");
  const auto& run = outcome.firstRun();
  CHECK(run["step"] == "host_tree");
  CHECK(run["parameters"]["theta"] == 1.5);
  CHECK(run["passed"] == true);
  CHECK(run["metrics"]["threads"] >= 1);
  CHECK(run["parts_ms"]["build"] > 0);
  CHECK(run["parts_ms"]["walk_and_forces"] > 0);
  CHECK(run["force_ms"]["median"] > 0);
  CHECK_FALSE(run.contains("flop_per_interaction"));  // of two kinds
  const double interactions =
      run["metrics"]["nodes_a_body"].get<double>() + run["metrics"]["sources_a_body"].get<double>();
  CHECK(interactions < 3000);
}

TEST_CASE("the host's tree code refuses what the step refuses") {
  requireRefused(NBODY_HOST_TREE_PROGRAM, "--theta 1.6", "--theta: must be from 0.001 to 1.5");
}
