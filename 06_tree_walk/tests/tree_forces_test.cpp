// Forces of step 06 and of the paper's walk. Tests of every step run them with all cells opened.
#include "bodies/random.hpp"
#include "orders.hpp"
#include "program_run.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

const std::string kExact = "theta 0.001 ";  // opens every cell of more than one place

/// Whether the program is 06_lists, which stores what its walks find.
const bool kStoresLists = contains(kStepName, "06_lists");

}  // namespace

TEST_CASE("forces agree with FP64 for any opening angle", "[sanitizer]") {
  inEveryOrder([] { requireCorrect(makePlummer(600, 5), "leaf 16"); });
  for (const std::string theta : {"0.001", "0.1", "0.3", "0.8", "1.154", "1.155", "1.5"})
    for (const std::string multipole : {"quadrupole", "monopole"}) {
      const std::string cells = "theta " + theta + " multipole " + multipole;
      requireCorrect(makePlummer(1000, 6), cells);
      requireCorrect(makeCube(257, 6), cells + " leaf 8 group 16");
    }
}

TEST_CASE("forces agree with FP64 for few bodies and for bodies at one place", "[sanitizer]") {
  for (int count : {1, 2, 33, 257}) requireCorrect(makeCube(count, 8), "leaf 4 group 4");
  Bodies pairs = makeCube(400, 9);
  for (int i = 1; i < 400; i += 2) pairs.positions[i] = pairs.positions[i - 1];
  requireCorrect(pairs, "leaf 2 group 2");
  // More bodies in a leaf and in a group than a block has threads, or a warp targets.
  Bodies many = makeCube(200, 10);
  for (int i = 0; i < 150; ++i) many.positions[i] = many.positions[0];
  requireCorrect(many, std::string("leaf 16 group 256") + (kStoresLists ? " block 32" : ""));
  requireNoForces(atOnePoint(300), "");
}

TEST_CASE("forces agree with FP64 for queues about a warp long", "[sanitizer]") {
  // Groups of one body: a leaf, and a cell for each other body. One group: a leaf for each.
  for (int count : {1, 2, 31, 32, 33, 34, 63, 64, 65, 66, 97})
    for (const std::string group : {"2", "64", "128"})
      requireCorrect(makeCube(count, 14), kExact + "leaf 2 group " + group);
}

TEST_CASE("forces agree with FP64 for coordinates over 12 orders of magnitude", "[sanitizer]") {
  Random random(11);
  Bodies bodies = makeCube(300, 11);
  for (Double4& p : bodies.positions) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    p = {p.x * scale, p.y * scale, p.z * scale, p.w};
  }
  requireCorrect(bodies, "leaf 4 group 8");
}

TEST_CASE("quadrupoles are better than monopoles, and a smaller angle than a larger") {
  const Bodies bodies = makePlummer(1000, 12);
  const std::string monopoles = "theta 0.6 leaf 16 multipole monopole";
  const double good = errorOf(bodies, "theta 0.3 leaf 16").median;
  const double fair = errorOf(bodies, "theta 0.6 leaf 16").median;
  const double poor = errorOf(bodies, monopoles).median;
  CHECK(good < fair / 4);  // of third order and more: 8
  CHECK(fair < poor / 2);
  // Softening as wide as the system: without the second moment these would be as monopoles.
  const double soft = errorOf(bodies, "theta 0.6 leaf 16", 1).median;
  CHECK(soft < errorOf(bodies, monopoles, 1).median / 4);
}

TEST_CASE("a run says what its walks found") {
  const Bodies bodies = makePlummer(1000, 16);
  const auto parts = simulationOf(bodies, kExact + "leaf 16")->computeForcesInPhases();
  REQUIRE(parts);
  CHECK(parts->ms.size() == (kStoresLists ? 6 : 3));
  // Only a body alone in its leaf may act as a cell.
  CHECK(parts->interactions == 1e6);
}
