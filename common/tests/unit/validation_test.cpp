// The check itself, and which part of a method is found at fault, from made-up parts. That wrong forces of every kind fail it is tested with their symptoms.
#include "driver/run_program.hpp"
#include "wrong_forces.hpp"

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

/// Forces are right where `whole` is 1, and twice too large where it is 2.
struct Whole : OptionsOf<Whole> {
  int whole = 2;
  std::vector<Ablation> tried;

  std::vector<Ablation> ablations() const override { return tried; }
};

std::shared_ptr<const Whole> with(int whole) {
  auto options = std::make_shared<Whole>();
  options->whole = whole;
  return options;
}

std::string partAtFault(std::vector<Ablation> ablations, int bodies = 200) {
  Whole options;
  options.tried = std::move(ablations);
  const Program program = {.name = "half right",
                           .options = std::make_unique<Whole>,
                           .simulation = [](int, double softening, const StepOptions& step) {
                             const int whole = dynamic_cast<const Whole&>(step).whole;
                             return std::make_unique<FakeSimulation>([=](const Bodies& b) {
                               return scaled(whole, byLaw(b, {softening * softening}));
                             });
                           }};
  return failedAblation(program, options, makeCube(bodies, 1), kSoftening, kUnitRoundoff);
}

/// The check of a step that keeps state, whose n-th forces are \p factors[n] times the correct ones.
ForceError checkOfTwo(std::vector<double> factors) {
  std::size_t evaluation = 0;
  FakeSimulation simulation([&](const Bodies& b) {
    return scaled(factors[std::min(evaluation++, factors.size() - 1)], right(b));
  });
  const Bodies bodies = makeCube(200, 1);
  simulation.upload(bodies);
  simulation.computeForces();
  const ForceError error =
      checkForces(simulation, bodies, kSoftening, kUnitRoundoff, {1e-3, 1e-3}, 2);
  CHECK(error.passed == error.summary().empty());
  return error;
}

}  // namespace

TEST_CASE_METHOD(Cube, "correct forces pass the check") {
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

TEST_CASE("a plain sum that loses many terms one way passes the check") {
  Bodies bodies;
  bodies.add({0, 0, 0, 1e-9});
  bodies.add(
      {0.1, 0, 0, 1});  // pulls body 0 so hard that an FP32 sum loses each pull of the others
  for (int i = 0; i < 4000; ++i) bodies.add({1, 1e-6 * i, 0, 3e-6});
  std::vector<Double4> accelerations = forcesOn(bodies);
  accelerations[0].x -= 4000 * 3e-6;
  CHECK(check(bodies, accelerations).passed);
  accelerations[0].x -= 10 * 4000 * 3e-6;
  CHECK_FALSE(check(bodies, accelerations).passed);
}

TEST_CASE("a plain sum that overflows excuses no error") {
  Bodies bodies;
  bodies.add({0, 0, 0, 1});
  for (double x : {0.01, 0.02}) bodies.add({x, x, x, 1e36});  // the pulls exceed FP32
  std::vector<Double4> accelerations = forcesOn(bodies);
  REQUIRE(check(bodies, accelerations).passed);
  accelerations[0] = times(1.5, accelerations[0]);
  CHECK_FALSE(check(bodies, accelerations).passed);
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

TEST_CASE("forces that are correct only the first time are found") {
  CHECK(checkOfTwo({1}).passed);
  CHECK(checkOfTwo({1, 0}).summary() ==
        "the forces are correct the first time and wrong the second time, when the memory is used "
        "again. The second time, all forces are zero");
  CHECK(checkOfTwo({0, 1}).evaluation == 1);
}

TEST_CASE("the error is of the second evaluation") {
  const ForceError error = checkOfTwo({1, 1 + 1e-4});
  CHECK(error.evaluation == 2);
  CHECK(std::abs(error.median - 1e-4) < 1e-6);
}

TEST_CASE("the first setting with wrong forces is named after the last with right ones") {
  const Ablation one = {"with one", with(1)};
  const Ablation two = {"with two", with(2)};
  const Ablation asItIs = {"as it is", std::make_shared<Whole>()};
  const std::string twice = "all forces are 2 times the correct value";
  CHECK(partAtFault({one, asItIs, two}) ==
        "The forces are correct with one. They are wrong as it is: " + twice);
  CHECK(partAtFault({two, one}) == "The forces are wrong with two: " + twice);
  CHECK(partAtFault({one, one}).empty());
  CHECK(partAtFault({}).empty());
  CHECK(partAtFault({one, two}, 5000) ==
        "The forces are correct with one. They are wrong with two: " + twice);
}

TEST_CASE("a setting is tried on as many bodies as it names, of 1,000 where it names none") {
  std::vector<int> counts;
  Whole options;
  options.tried = {{"with few", with(1), 50}, {"with one", with(1)}};
  const Program program = {
      .name = "counts its bodies",
      .options = std::make_unique<Whole>,
      .simulation = [&](int count, double, const StepOptions&) {
        counts.push_back(count);
        return std::make_unique<FakeSimulation>([](const Bodies& b) { return right(b); });
      }};
  CHECK(failedAblation(program, options, makeCube(5000, 1), kSoftening, kUnitRoundoff).empty());
  CHECK(counts == std::vector<int>{50, 1000});
}
