// Tests of step 10's plain program: errors by angle and order, half of the bodies at one place, and tiny boxes.
#include "multipole_scenes.hpp"

using namespace nbody;

TEST_CASE("forces are right in every scene and order", "[sanitizer]") {
  for (const char* scene : {"plummer", "cube", "collision", "galaxy"})
    requireCorrect(sceneOf(scene), "");
  for (const char* order : {"2", "3", "4"})
    requireCorrect(sceneOf("plummer", 700), std::string("order ") + order);
}

TEST_CASE("a smaller angle and a higher order make errors smaller") {
  const Bodies bodies = sceneOf("cube", 3000);
  const auto p99 = [&](const char* theta, int order) {
    return errorOf(bodies, std::string("leaf 8 theta ") + theta + " order " + std::to_string(order))
        .p99;
  };
  double before = 1;  // of the order before
  for (int order : {2, 3, 4, 5}) {
    const double wide = p99("0.8", order), middle = p99("0.6", order), narrow = p99("0.4", order);
    INFO("order " << order << ": 99th percentile " << wide << " at theta 0.8, " << narrow
                  << " at 0.4");
    CHECK(wide / narrow > std::pow(2, order - 0.5));
    CHECK(before > 1.5 * middle);
    before = middle;
  }
}

TEST_CASE("half of the bodies may be at one place") {
  Bodies bodies = sceneOf("plummer", 2000);
  for (int i = 0; i < 1000; ++i) {
    Double4& p = bodies.positions[2 * i];
    p = {3, 0, 0, p.w};
  }
  requireCorrect(bodies, "");
}
