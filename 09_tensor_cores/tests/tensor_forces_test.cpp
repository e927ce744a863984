// Tests of step 09 beyond those that every step shares: forces from products of matrices, wherever the bodies are.
#include "bodies/random.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

/// Bodies enough for far tiles. The last tile is not full.
constexpr int kCount = 3000;

Bodies cube() { return makeCube(kCount, 3); }

/// Two halves of \p bodies, each shrunk to \p size, at a distance of 1.
Bodies twoClumps(Bodies bodies, double size) {
  for (int i = 0; i < bodies.count(); ++i) {
    Double4& p = bodies.positions[i];
    p = {size * p.x + i % 2, size * p.y, size * p.z, p.w};
  }
  return bodies;
}

void requireAllCorrect(const Bodies& bodies) {
  for (const char* products : {"accurate", "always", "never"})
    requireCorrect(bodies, std::string("products ") + products);
}

}  // namespace

TEST_CASE("far tiles are multiplied, and the forces are right", "[sanitizer]") {
  for (const char* scene : {"cube", "plummer", "shell", "collision"})
    requireCorrect(sceneNamed(scene).make(kCount, 3), "products always");
  // There were products, if they are wanted: their rounding shows.
  const auto forces = [](const char* products) {
    return accelerationsOf(cube(), std::string("products ") + products + " ordered on");
  };
  CHECK(!sameBits(forces("always"), forces("never")));
  CHECK(sameBits(forces("accurate"), forces("never")));
}

TEST_CASE("clumps far from each other are right, and so is a body between") {
  for (double size : {1.0, 1e-3, 1e-6, 0.0}) {
    INFO("clumps of size " << size);
    requireAllCorrect(twoClumps(cube(), size));
  }
}

TEST_CASE("masses may differ by ten orders of magnitude, or be zero") {
  Random random(5);
  Bodies bodies = cube();
  for (Double4& p : bodies.positions) p.w = std::pow(10, random.uniform(-10, 0));
  requireAllCorrect(bodies);
  for (int i = 0; i < bodies.count(); i += 2) bodies.positions[i].w = 0;
  requireAllCorrect(bodies);
  for (Double4& p : bodies.positions) p.w = 0;
  bodies.positions[7].w = 1;
  requireCorrect(bodies, "products accurate");  // one pull, rounded to 11 bits, would be seen
}

TEST_CASE("bodies may be a million times nearer or farther than others") {
  Bodies bodies = cube();
  for (int i = 0; i < 20; ++i) {
    Double4& near = bodies.positions[2 * i + 1];
    near = bodies.positions[2 * i];
    near.x += 1e-7;
    bodies.positions[100 + i].y = 1e5 * (i + 1);
  }
  requireAllCorrect(bodies);
}

TEST_CASE("coordinates far from the origin lose no more than FP32 does") {
  Bodies bodies = cube();
  for (Double4& p : bodies.positions) p = {p.x + 1000, p.y - 3000, p.z, p.w};
  requireAllCorrect(bodies);
}

TEST_CASE("an ordered sum repeats bit for bit, whatever memory it has") {
  const Bodies bodies = sceneNamed("plummer").make(kCount, 3);
  const std::string ordered = "products always ordered on";
  requireCorrect(bodies, ordered);
  const auto first = accelerationsOf(bodies, ordered);
  CHECK(sameBits(first, accelerationsOf(bodies, ordered)));
  const auto all = makeStepOptions()->list();
  if (std::none_of(all.begin(), all.end(), [](const Option& o) { return o.name == "stored-mib"; }))
    return;
  // 10 of the 12 rows of tiles at a time, or all
  for (const char* room : {" stored-mib 1", " stored-mib 4"})
    CHECK(sameBits(first, accelerationsOf(bodies, ordered + room)));
}
