// Tests of both programs of step 10, beyond those that every step shares: forces wherever the bodies are, and memory
// that grows.
#include "bodies/random.hpp"
#include "multipole_scenes.hpp"

using namespace nbody;

TEST_CASE("any number of bodies, at one place or along a line") {
  for (int count : {1, 2, 3, 17, 65, 257}) requireCorrect(sceneOf("cube", count), "");
  Bodies bodies = sceneOf("cube", 500);
  for (Double4& p : bodies.positions) p = {p.x, 0, 0, p.w};
  requireCorrect(bodies, "");
  for (int i = 0; i < 200; ++i) bodies.positions[i] = bodies.positions[0];
  requireCorrect(bodies, "leaf 32");
  for (Double4& p : bodies.positions) p = {1, 2, 3, p.w};
  requireNoForces(bodies, "");
}

TEST_CASE("masses may differ by ten orders of magnitude, or be zero") {
  Random random(5);
  Bodies bodies = sceneOf("cube");
  for (Double4& p : bodies.positions) p.w = std::pow(10, random.uniform(-10, 0));
  requireCorrect(bodies, "");
  for (int i = 0; i < bodies.count(); i += 2) bodies.positions[i].w = 0;
  requireCorrect(bodies, "");
  for (Double4& p : bodies.positions) p.w = 0;
  bodies.positions[7].w = 1;
  requireCorrect(bodies, "");
}

TEST_CASE("lengths may have any unit, and bodies may be far away") {
  for (double length : {1e-3, 1e6, 1e10}) {
    INFO("lengths times " << length);
    requireCorrect(scaled(sceneOf("plummer"), length), "");
  }
  Bodies bodies = sceneOf("cube");
  for (int i = 0; i < 10; ++i) {
    bodies.positions[i].y = 1e4 * (i + 1);
    bodies.positions[20 + i] = bodies.positions[40 + i];
    bodies.positions[20 + i].x += 1e-7;
  }
  requireCorrect(bodies, "");
  for (Double4& p : bodies.positions) p = {p.x + 1000, p.y - 3000, p.z, p.w};
  requireCorrect(bodies, "");
}

TEST_CASE("bodies may be much closer together than the softening") {
  for (double length : {1e-10, 1e-16, 1e-18, 1e-20}) {
    INFO("lengths times " << length);
    requireCorrect(scaled(sceneOf("cube", 300), length), "");
    requireCorrect(scaled(sceneOf("plummer", 4000), length), "");
  }
}

TEST_CASE("lists that need more memory than there is get it") {
  // 1,100 leaves, each near all others. The plain program has 1,200,000 sources, and memory for 1,160,000 at first;
  // 10_tuned has 40,000 chunks of 32, and memory for 34,600.
  requireCorrect(sceneOf("cube", 1100), "theta 0.001 leaf 2");
}

TEST_CASE("forces repeat bit for bit") {
  const Bodies bodies = sceneOf("plummer");
  CHECK(sameBits(accelerationsOf(bodies, ""), accelerationsOf(bodies, "")));
}

TEST_CASE("momentum is nearly conserved") {
  const Bodies bodies = sceneOf("collision");
  const auto accelerations = accelerationsOf(bodies, "");
  double x = 0, y = 0, z = 0, lengths = 0;
  for (int i = 0; i < bodies.count(); ++i) {
    const double m = bodies.positions[i].w;
    const Double4& a = accelerations[i];
    x += m * a.x, y += m * a.y, z += m * a.z;
    lengths += m * std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  }
  CHECK(std::sqrt(x * x + y * y + z * z) < 1e-4 * lengths);
}
