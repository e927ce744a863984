// The check itself. That wrong forces of every kind fail it is tested with their symptoms.
#include "driver/validation.hpp"
#include "made_bodies.hpp"
#include "physics/reference.hpp"

using namespace nbody;

namespace {

constexpr double kSmallSoftening = 0.01;

ForceError check(const Bodies& bodies, const std::vector<Double4>& accelerations) {
  return compareForces(bodies, accelerations, kSmallSoftening, 0x1p-24);
}

std::vector<Double4> forcesOn(const Bodies& bodies) {
  return referenceAccelerations(bodies, kSmallSoftening, sampleOf(bodies.count(), bodies.count()));
}

struct Cube {
  const Bodies bodies = makeCube(500, 1);
  std::vector<Double4> accelerations = forcesOn(bodies);
};

}  // namespace

TEST_CASE_METHOD(Cube, "right forces pass the check") {
  const ForceError error = check(bodies, accelerations);
  CHECK(error.passed);
  CHECK(error.failure.empty());
  CHECK(error.sampled == 500);
  CHECK(error.max <= 1e-10);
}

TEST_CASE("the distribution of errors is that of the bodies") {
  const Bodies bodies = makeCube(1001, 1);
  auto accelerations = forcesOn(bodies);
  for (int i = 0; i <= 1000; ++i)  // body i is wrong by i / 1000 of its force
    accelerations[i] = times(1 + 1e-3 * i, accelerations[i]);
  const ForceError error = check(bodies, accelerations);
  REQUIRE(error.exceeded.size() == kExceeding.size());
  for (std::size_t k = 0; k < kExceeding.size(); ++k)
    CHECK(std::abs(error.exceeded[k] - (1 - kExceeding[k])) < 1e-6);
}

TEST_CASE_METHOD(Cube, "forces of zero, of NaN and of infinity fail the check") {
  CHECK_FALSE(check(bodies, std::vector<Double4>(500, {0, 0, 0, 0})).passed);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    accelerations[499].y = bad;
    const ForceError error = check(bodies, accelerations);
    CHECK_FALSE(error.passed);
    CHECK(contains(error.failure, "body 499"));
    CHECK(std::isnan(error.max));
  }
}

TEST_CASE("a NaN outside the sample fails the check") {
  const Bodies bodies = makeCube(5000, 1);
  std::vector<Double4> accelerations = forcesOn(bodies);
  REQUIRE(check(bodies, accelerations).passed);
  accelerations[1].x = std::nan("");
  CHECK_FALSE(check(bodies, accelerations).passed);
}

TEST_CASE_METHOD(Cube, "one body off by a thousandth fails the check") {
  accelerations[123].z += 1e-3 * std::abs(accelerations[123].z);
  const ForceError error = check(bodies, accelerations);
  CHECK_FALSE(error.passed);
  CHECK(contains(error.failure, "body 123"));
}

TEST_CASE_METHOD(Cube, "an approximation may err by what it allows, half of the bodies by less") {
  const auto lengths = forcesOn(bodies);  // in w
  const auto passes = [&](double error, int count) {
    auto wrong = accelerations;
    for (int i = 0; i < count; ++i) wrong[i].y += error * lengths[i].w;
    return compareForces(bodies, wrong, kSmallSoftening, 0x1p-24, {1e-2, 1e-3}).passed;
  };
  CHECK(passes(0.9e-2, 240));
  CHECK_FALSE(passes(0.9e-2, 260));
  CHECK(passes(0.9e-3, 500));
  CHECK_FALSE(passes(1.1e-2, 1));
}

TEST_CASE("a body that left the numbers is named") {
  Bodies bodies = makeCube(10, 1);
  checkFinite(bodies);
  bodies.velocities[7].x = std::nan("");
  CHECK(contains(messageOf([&] { checkFinite(bodies); }), "body 7"));
}
