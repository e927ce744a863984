// Step 06 from its lists to its forces; the tests of every step run it with all cells opened.
#include "bodies/random.hpp"
#include "orders.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

const std::string kExact = "theta 0.001 ";  // opens every cell of more than one place

void requireBothCorrect(const Bodies& bodies, const std::string& settings) {
  requireCorrect(bodies, "walk fused " + settings);
  requireCorrect(bodies, "walk lists " + settings);
}

}  // namespace

TEST_CASE("forces agree with FP64 for any opening angle", "[sanitizer]") {
  inEveryOrder([] { requireBothCorrect(makePlummer(600, 5), "leaf 16"); });
  for (const std::string theta : {"0.001", "0.1", "0.3", "0.8", "1.154", "1.155", "1.5"})
    for (const std::string multipole : {"quadrupole", "monopole"}) {
      const std::string cells = "theta " + theta + " multipole " + multipole;
      requireBothCorrect(makePlummer(1000, 6), cells);
      requireBothCorrect(makeCube(257, 6), cells + " leaf 8 group 16");
    }
}

TEST_CASE("forces agree with FP64 for few bodies and for bodies at one place", "[sanitizer]") {
  for (int count : {1, 2, 33, 257}) requireBothCorrect(makeCube(count, 8), "leaf 4 group 4");
  Bodies pairs = makeCube(400, 9);
  for (int i = 1; i < 400; i += 2) pairs.positions[i] = pairs.positions[i - 1];
  requireBothCorrect(pairs, "leaf 2 group 2");
  // More bodies in a leaf and in a group than the block has threads.
  Bodies many = makeCube(200, 10);
  for (int i = 0; i < 150; ++i) many.positions[i] = many.positions[0];
  requireBothCorrect(many, "leaf 16 group 256 block 32");
  requireNoForces(atOnePoint(300), "");
}

TEST_CASE("forces agree with FP64 for queues of the fused walk about a warp long", "[sanitizer]") {
  // Groups of one body: a leaf, and a cell for each other body. One group: a leaf for each.
  for (int count : {1, 2, 31, 32, 33, 34, 63, 64, 65, 66, 97})
    for (const std::string group : {"2", "64", "128"})
      requireBothCorrect(makeCube(count, 14), kExact + "leaf 2 group " + group);
}

TEST_CASE("forces agree with FP64 for coordinates over 12 orders of magnitude", "[sanitizer]") {
  Random random(11);
  Bodies bodies = makeCube(300, 11);
  for (Double4& p : bodies.positions) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    p = {p.x * scale, p.y * scale, p.z * scale, p.w};
  }
  requireBothCorrect(bodies, "leaf 4 group 8");
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

TEST_CASE("the bodies of batches get the same forces, to the last bit, as those of one") {
  const Bodies bodies = makePlummer(1000, 13);
  // Lists of 1,000 groups by 1,000 cells: 4 MB.
  const std::string lists = kExact + "leaf 2 group 2 walk lists list-memory ";
  CHECK(sameBits(accelerationsOf(bodies, lists + "64"), accelerationsOf(bodies, lists + "1")));
}

TEST_CASE("both walks give the same forces to rounding, in every scene") {
  for (const Scene& scene : scenes()) {
    const Bodies bodies = scene.make(scene.fixedCount ? scene.fixedCount : 700, 17);
    const auto fused = accelerationsOf(bodies, "leaf 8 walk fused grouping cells");
    const auto lists = accelerationsOf(bodies, "leaf 8 walk lists grouping cells");
    double largest = 0;
    for (const Double4& a : lists) largest = std::max(largest, length(a));
    // Both sum the same pulls in different orders; N of them, of either sign.
    const double tolerance = std::sqrt(bodies.count()) * 4 * kUnitRoundoff * largest;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      INFO(scene.name << ", body " << i);
      REQUIRE(distance(fused[i], lists[i]) <= tolerance);
    }
  }
}

TEST_CASE("a run says what its lists held") {
  const Bodies bodies = makePlummer(1000, 16);
  for (const std::string walk : {"fused", "lists"}) {
    const auto parts =
        simulationOf(bodies, kExact + "leaf 16 walk " + walk)->computeForcesInPhases();
    REQUIRE(parts);
    CHECK(parts->ms.size() == (walk == "fused" ? 3 : 6));
    // Only a body alone in its leaf may act as a cell.
    CHECK(parts->interactions == 1e6);
  }
}
