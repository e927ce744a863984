// Which part of a method is found at fault, from made-up parts.
#include "wrong_forces.hpp"

#include "driver/run_program.hpp"

using namespace nbody;

namespace {

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
