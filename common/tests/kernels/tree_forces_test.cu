// Step 06 from its lists to its forces; the tests of every step run it with all cells opened.
#include <cmath>
#include <cstring>

#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "catch.hpp"
#include "orders.hpp"
#include "driver/simulation.hpp"
#include "driver/step.hpp"
#include "driver/validation.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;
constexpr double kUnitRoundoff = sizeof(real) == 4 ? 0x1p-24 : 0x1p-53;
constexpr int kExact = 1;  // theta in thousandths that opens every cell of more than one place

constexpr int kFused = 1, kLists = 2;

using Values = std::vector<std::pair<const char*, int>>;

Parameters parametersWith(const Values& values) {
  Parameters parameters = stepParameters();
  for (auto [name, value] : values)
    for (Parameter& parameter : parameters)
      if (parameter.name == name) parameter.value = value;
  return parameters;
}

ForceError errorOf(const Bodies& bodies, const Values& values, double softening = kSoftening) {
  const Parameters parameters = parametersWith(values);
  auto simulation = makeStepSimulation(bodies.count(), softening, parameters);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  simulation->computeForces();
  return checkForces(*simulation, softening, kUnitRoundoff, parameters.approximation());
}

void requireCorrect(const Bodies& bodies, const Values& values) {
  for (int walk : {kFused, kLists}) {
    Values chosen = values;
    chosen.emplace_back("walk", walk);
    const ForceError error = errorOf(bodies, chosen);
    INFO(bodies.count() << " bodies, walk " << walk << ": " << error.failure);
    REQUIRE(error.passed);
  }
}

std::vector<Double4> accelerationsOf(const Bodies& bodies, const Values& values) {
  auto simulation = makeStepSimulation(bodies.count(), kSoftening, parametersWith(values));
  simulation->upload(bodies);
  simulation->poisonAccelerations();
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
  inEveryOrder([] { requireCorrect(makePlummer(600, 5), {{"theta", 500}, {"leaf", 16}}); });
  for (int theta : {1, 100, 300, 800, 1154, 1155, 1500}) {
    for (int multipole : {1, 2}) {
      INFO("theta " << theta << ", multipole " << multipole);
      requireCorrect(makePlummer(1000, 6), {{"theta", theta}, {"multipole", multipole}});
      requireCorrect(makeCube(257, 6),
                     {{"theta", theta}, {"multipole", multipole}, {"leaf", 8}, {"group", 16}});
    }
  }
}

TEST_CASE("forces agree with FP64 for few bodies and for bodies at one place", "[sanitizer]") {
  for (int count : {1, 2, 33, 257}) requireCorrect(makeCube(count, 8), {{"leaf", 4}, {"group", 4}});
  Bodies pairs = makeCube(400, 9);
  for (int i = 1; i < 400; i += 2) pairs.positions[i] = pairs.positions[i - 1];
  requireCorrect(pairs, {{"leaf", 2}, {"group", 2}});
  // More bodies in a leaf and in a group than the block has threads.
  Bodies many = makeCube(200, 10);
  for (int i = 0; i < 150; ++i) many.positions[i] = many.positions[0];
  requireCorrect(many, {{"leaf", 16}, {"group", 256}, {"block", 32}});
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
      requireCorrect(makeCube(count, 14), {{"theta", kExact}, {"leaf", 2}, {"group", group}});
}

TEST_CASE("forces agree with FP64 for coordinates over 12 orders of magnitude", "[sanitizer]") {
  Random random(11);
  Bodies bodies = makeCube(300, 11);
  for (Double4& p : bodies.positions) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    p = {p.x * scale, p.y * scale, p.z * scale, p.w};
  }
  requireCorrect(bodies, {{"leaf", 4}, {"group", 8}});
}

TEST_CASE("quadrupoles are better than monopoles, and a smaller angle than a larger") {
  const Bodies bodies = makePlummer(1000, 12);
  const double good = errorOf(bodies, {{"theta", 300}, {"leaf", 16}}).median;
  const double fair = errorOf(bodies, {{"theta", 600}, {"leaf", 16}}).median;
  const double poor = errorOf(bodies, {{"theta", 600}, {"leaf", 16}, {"multipole", 2}}).median;
  CHECK(good < fair / 4);  // of third order and more: 8
  CHECK(fair < poor / 2);
  // Softening as wide as the system: without the second moment these would be as monopoles.
  const double soft = errorOf(bodies, {{"theta", 600}, {"leaf", 16}}, 1).median;
  const double softPoor =
      errorOf(bodies, {{"theta", 600}, {"leaf", 16}, {"multipole", 2}}, 1).median;
  CHECK(soft < softPoor / 4);
}

TEST_CASE("the bodies of batches get the same forces, to the last bit, as those of one") {
  const Bodies bodies = makePlummer(1000, 13);
  // Lists of 1,000 groups by 1,000 cells: 4 MB.
  const auto one = accelerationsOf(
      bodies,
      {{"walk", kLists}, {"theta", kExact}, {"leaf", 2}, {"group", 2}, {"list-memory", 64}});
  const auto many = accelerationsOf(
      bodies, {{"walk", kLists}, {"theta", kExact}, {"leaf", 2}, {"group", 2}, {"list-memory", 1}});
  CHECK(std::memcmp(one.data(), many.data(), one.size() * sizeof one[0]) == 0);
}

TEST_CASE("both walks give the same forces to rounding, in every scene") {
  for (const Scene& scene : scenes()) {
    const Bodies bodies = scene.make(scene.fixedCount ? scene.fixedCount : 700, 17);
    const auto fused = accelerationsOf(bodies, {{"walk", kFused}, {"grouping", 2}, {"leaf", 8}});
    const auto lists = accelerationsOf(bodies, {{"walk", kLists}, {"grouping", 2}, {"leaf", 8}});
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
  for (int walk : {kFused, kLists}) {
    auto simulation =
        makeStepSimulation(bodies.count(),
                           kSoftening,
                           parametersWith({{"walk", walk}, {"theta", kExact}, {"leaf", 16}}));
    simulation->upload(bodies);
    const auto parts = simulation->computeForcesInPhases();
    REQUIRE(parts);
    CHECK(parts->ms.size() == (walk == kFused ? 3 : 6));
    // Only a body alone in its leaf may act as a cell.
    CHECK(parts->interactions == 1e6);
  }
}
