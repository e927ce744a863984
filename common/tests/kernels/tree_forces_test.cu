// Step 06 from its lists to its forces; the tests of every step run it with all cells opened.
#include <cmath>
#include <cstring>

#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "catch.hpp"
#include "cuda/multiprocessors.hpp"
#include "driver/simulation.hpp"
#include "driver/step.hpp"
#include "driver/validation.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;
constexpr double kUnitRoundoff = sizeof(real) == 4 ? 0x1p-24 : 0x1p-53;
constexpr double kExact = 0.001;  // theta that opens every cell of more than one place

/// Options of the step, by name in an initializer.
struct Tree {
  double theta = 0.5;
  int leaf = 64;
  int group = 64;
  Multipoles multipole = Multipoles::quadrupole;
  Walk walk = Walk::fused;
  std::optional<Grouping> grouping = std::nullopt;
  int block = 0;
  int listMemory = 0;
};

Options optionsOf(const Tree& tree, const Bodies& bodies) {
  Options options;
  options.theta = tree.theta;
  options.leaf = tree.leaf;
  options.group = tree.group;
  options.multipole = tree.multipole;
  options.walk = tree.walk;
  options.grouping = tree.grouping;
  options.block = tree.block;
  options.listMemory = tree.listMemory;
  options.resolve(workloadOf(bodies, multiprocessors()));
  return options;
}

std::unique_ptr<Simulation> simulationOf(const Bodies& bodies,
                                         const Options& options,
                                         double softening = kSoftening) {
  auto simulation = makeStepSimulation(bodies.count(), softening, options);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  return simulation;
}

ForceError errorOf(const Bodies& bodies, const Tree& tree, double softening = kSoftening) {
  const Options options = optionsOf(tree, bodies);
  const auto simulation = simulationOf(bodies, options, softening);
  simulation->computeForces();
  return checkForces(*simulation, softening, kUnitRoundoff, options.errorBound());
}

void requireCorrect(const Bodies& bodies, Tree tree) {
  for (Walk walk : {Walk::fused, Walk::lists}) {
    tree.walk = walk;
    const ForceError error = errorOf(bodies, tree);
    INFO(bodies.count() << " bodies, " << (walk == Walk::fused ? "fused" : "lists") << ": "
                        << error.failure);
    REQUIRE(error.passed);
  }
}

std::vector<Double4> accelerationsOf(const Bodies& bodies, const Tree& tree) {
  const auto simulation = simulationOf(bodies, optionsOf(tree, bodies));
  simulation->computeForces();
  return simulation->accelerations();
}

Bodies atOnePoint(int count) {
  Bodies bodies;
  for (int i = 0; i < count; ++i) bodies.add({0.25, -0.5, 1, 1}, {0, 0, 0, 0});
  return bodies;
}

}  // namespace

TEST_CASE("forces agree with FP64 for any opening angle", "[sanitizer]") {
  inEveryOrder([] { requireCorrect(makePlummer(600, 5), {.theta = 0.5, .leaf = 16}); });
  for (double theta : {0.001, 0.1, 0.3, 0.8, 1.154, 1.155, 1.5}) {
    for (Multipoles multipole : {Multipoles::quadrupole, Multipoles::monopole}) {
      INFO("theta " << theta << ", multipole " << static_cast<int>(multipole));
      requireCorrect(makePlummer(1000, 6), {.theta = theta, .multipole = multipole});
      requireCorrect(makeCube(257, 6),
                     {.theta = theta, .leaf = 8, .group = 16, .multipole = multipole});
    }
  }
}

TEST_CASE("forces agree with FP64 for few bodies and for bodies at one place", "[sanitizer]") {
  for (int count : {1, 2, 33, 257}) requireCorrect(makeCube(count, 8), {.leaf = 4, .group = 4});
  Bodies pairs = makeCube(400, 9);
  for (int i = 1; i < 400; i += 2) pairs.positions[i] = pairs.positions[i - 1];
  requireCorrect(pairs, {.leaf = 2, .group = 2});
  // More bodies in a leaf and in a group than the block has threads.
  Bodies many = makeCube(200, 10);
  for (int i = 0; i < 150; ++i) many.positions[i] = many.positions[0];
  requireCorrect(many, {.leaf = 16, .group = 256, .block = 32});
  for (const Double4& a : accelerationsOf(atOnePoint(300), {})) {
    REQUIRE(a.x == 0);
    REQUIRE(a.y == 0);
    REQUIRE(a.z == 0);
  }
}

TEST_CASE("forces agree with FP64 for queues of the fused walk about a warp long", "[sanitizer]") {
  // Groups of one body: a leaf, and a cell for each other body. One group: a leaf for each.
  for (int count : {1, 2, 31, 32, 33, 34, 63, 64, 65, 66, 97})
    for (int group : {2, 64, 128})
      requireCorrect(makeCube(count, 14), {.theta = kExact, .leaf = 2, .group = group});
}

TEST_CASE("forces agree with FP64 for coordinates over 12 orders of magnitude", "[sanitizer]") {
  Random random(11);
  Bodies bodies = makeCube(300, 11);
  for (Double4& p : bodies.positions) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    p = {p.x * scale, p.y * scale, p.z * scale, p.w};
  }
  requireCorrect(bodies, {.leaf = 4, .group = 8});
}

TEST_CASE("quadrupoles are better than monopoles, and a smaller angle than a larger") {
  const Bodies bodies = makePlummer(1000, 12);
  const double good = errorOf(bodies, {.theta = 0.3, .leaf = 16}).median;
  const double fair = errorOf(bodies, {.theta = 0.6, .leaf = 16}).median;
  const double poor =
      errorOf(bodies, {.theta = 0.6, .leaf = 16, .multipole = Multipoles::monopole}).median;
  CHECK(good < fair / 4);  // of third order and more: 8
  CHECK(fair < poor / 2);
  // Softening as wide as the system: without the second moment these would be as monopoles.
  const double soft = errorOf(bodies, {.theta = 0.6, .leaf = 16}, 1).median;
  const double softPoor =
      errorOf(bodies, {.theta = 0.6, .leaf = 16, .multipole = Multipoles::monopole}, 1).median;
  CHECK(soft < softPoor / 4);
}

TEST_CASE("the bodies of batches get the same forces, to the last bit, as those of one") {
  const Bodies bodies = makePlummer(1000, 13);
  // Lists of 1,000 groups by 1,000 cells: 4 MB.
  const auto one = accelerationsOf(
      bodies, {.theta = kExact, .leaf = 2, .group = 2, .walk = Walk::lists, .listMemory = 64});
  const auto many = accelerationsOf(
      bodies, {.theta = kExact, .leaf = 2, .group = 2, .walk = Walk::lists, .listMemory = 1});
  CHECK(std::memcmp(one.data(), many.data(), one.size() * sizeof one[0]) == 0);
}

TEST_CASE("both walks give the same forces to rounding, in every scene") {
  for (const Scene& scene : scenes()) {
    const Bodies bodies = scene.make(scene.fixedCount ? scene.fixedCount : 700, 17);
    const auto fused =
        accelerationsOf(bodies, {.leaf = 8, .walk = Walk::fused, .grouping = Grouping::cells});
    const auto lists =
        accelerationsOf(bodies, {.leaf = 8, .walk = Walk::lists, .grouping = Grouping::cells});
    double largest = 0;
    for (const Double4& a : lists) largest = std::max(largest, std::hypot(a.x, a.y, a.z));
    // Both sum the same pulls in different orders; N of them, of either sign.
    const double tolerance = std::sqrt(bodies.count()) * 4 * kUnitRoundoff * largest;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      INFO(scene.name << ", body " << i);
      REQUIRE(std::hypot(fused[i].x - lists[i].x,
                         fused[i].y - lists[i].y,
                         fused[i].z - lists[i].z) <= tolerance);
    }
  }
}

TEST_CASE("a run says what its lists held") {
  const Bodies bodies = makePlummer(1000, 16);
  for (Walk walk : {Walk::fused, Walk::lists}) {
    auto simulation =
        simulationOf(bodies, optionsOf({.theta = kExact, .leaf = 16, .walk = walk}, bodies));
    const auto parts = simulation->computeForcesInPhases();
    REQUIRE(parts);
    CHECK(parts->ms.size() == (walk == Walk::fused ? 3 : 6));
    // Only a body alone in its leaf may act as a cell.
    CHECK(parts->interactions == 1e6);
  }
}
