// standalone.cu, which has nothing of common/ in it, computes the forces of step 01.
#include <cstdio>
#include <random>

#include "physics/reference.hpp"
#include "program_run.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

/// Draws bodies as the program does.
Bodies drawnBodies(int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return (random() >> 8) * 0x1p-24; };
  Bodies bodies;
  for (int i = 0; i < count; ++i) bodies.add({uniform(), uniform(), uniform(), uniform()});
  return bodies;
}

/// The accelerations that the program prints.
std::vector<Double4> printed(int count, unsigned seed) {
  std::istringstream lines(
      run(NBODY_STANDALONE, std::to_string(count) + " " + std::to_string(seed) + " print").out);
  std::vector<Double4> found;
  for (std::string line; std::getline(lines, line);) {
    Double4 a = {};
    if (std::sscanf(line.c_str(), "a = %lf %lf %lf", &a.x, &a.y, &a.z) == 3) found.push_back(a);
  }
  return found;
}

}  // namespace

TEST_CASE("standalone.cu has the forces of this step") {
  for (int count : {1, 2, 257, 1000}) {
    const Bodies bodies = drawnBodies(count, count);
    const std::vector<Double4> step = accelerationsOf(bodies, ""), alone = printed(count, count);
    REQUIRE(alone.size() == step.size());
    const auto exact = referenceAccelerations(bodies, kSoftening, sampleOf(count, count));
    for (int i = 0; i < count; ++i) {
      const Double4 &a = alone[i], &b = step[i];
      // Each within rounding of the exact sum; exact.w is the sum of its terms' lengths.
      const double bound = 2 * forceTolerance(count, 0x1p-24) * exact[i].w;
      INFO("body " << i << " of " << count);
      REQUIRE(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) <= bound);
    }
  }
}
