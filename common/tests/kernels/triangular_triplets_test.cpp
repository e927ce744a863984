// The triplets of step 05: known energies, FP64.
#include "made_bodies.hpp"
#include "orders.hpp"
#include "study/triplets.hpp"

using namespace nbody;

namespace {

double energyOf(const Bodies& bodies) {
  const TripletPoint point = studyTriplets(bodies, {"box", "tetrahedron"}, 0)[1];
  INFO(point.failure);
  REQUIRE(point.failure.empty());
  return point.energy;
}

}  // namespace

TEST_CASE("the energy of a triplet is Axilrod and Teller's") {
  const double height = std::sqrt(0.75);
  const double equilateral = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {0.5, height, 0, 1}}));
  CHECK(std::abs(equilateral - 11.0 / 8) <= 1e-6);
  const double inLine = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}}));
  CHECK(std::abs(inLine + 2.0 / 8) <= 1e-7);
  const double right = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}));
  CHECK(std::abs(right - std::pow(2.0, -1.5)) <= 1e-7);
}

TEST_CASE("triplets agree with FP64 by every map", "[sanitizer]") {
  inEveryOrder([] {
    for (int n : {3, 8, 9, 41, 64})
      for (const Bodies& bodies : {makeCube(n, 5), makePlummer(n, 5)})
        for (const TripletPoint& point : studyTriplets(bodies, tripletMaps(), 0)) {
          INFO(n << " bodies by " << point.map << ": " << point.failure);
          REQUIRE(point.exact);
          REQUIRE(point.failure.empty());
          REQUIRE(point.error < 1e-5);
        }
  });
}

TEST_CASE("coincident bodies fail the check of the triplets") {
  const Bodies bodies = bodiesAt({{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}});
  CHECK_FALSE(studyTriplets(bodies, {"box"}, 0)[0].failure.empty());
}
