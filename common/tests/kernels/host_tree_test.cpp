// The host's tree code as a baseline: its program, and the accuracy of its cells.
#include <cmath>

#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"
#include "catch.hpp"
#include "host/host_walk.hpp"
#include "physics/reference.hpp"
#include "program_run.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 1;  // as wide as the system

/// Sum of squared errors, and how many pulls it took.
double errorsOf(const Bodies& bodies, bool quadrupoles, HostPulls& pulls) {
  const Octree tree = buildOctree(bodies.positions, 16, 16);
  const auto forces = treeForces(tree, bodies.positions, kSoftening, 0.6, quadrupoles, 0, &pulls);
  const auto direct =
      referenceAccelerations(bodies, kSoftening, sampleOf(bodies.count(), bodies.count()));
  double sum = 0;
  for (int i = 0; i < bodies.count(); ++i) sum += std::pow(distance(forces[i], direct[i]), 2);
  return sum;
}

}  // namespace

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
  CHECK(run["facts"]["threads"] >= 1);
  CHECK(run["parts_ms"]["build"] > 0);
  CHECK(run["parts_ms"]["walk_and_forces"] > 0);
  CHECK(run["force_ms"]["median"] > 0);
  CHECK_FALSE(run.contains("flop_per_interaction"));  // of two kinds
  const double interactions =
      run["facts"]["nodes_a_body"].get<double>() + run["facts"]["sources_a_body"].get<double>();
  CHECK(interactions < 3000);
}

TEST_CASE("the host's tree code refuses what the step refuses") {
  requireRefused(NBODY_HOST_TREE_PROGRAM, "--theta 1.6", "--theta: must be from 0.001 to 1.5");
}
