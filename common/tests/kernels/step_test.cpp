// The tests of every step, compiled once for each with its forces.
#include <cstdlib>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "bodies/random.hpp"
#include "orders.hpp"
#include "physics/conserved.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

/// \p number, or with NBODY_TEST_SEED another: a grader's bodies are to be new to a submission.
std::uint64_t seed(std::uint64_t number) {
  const char* text = std::getenv("NBODY_TEST_SEED");
  return number + (text == nullptr ? 0 : std::strtoull(text, nullptr, 10));
}

/// The step's method to test.
const std::string kMethod = [] {
  const char* text = std::getenv("NBODY_TEST_SETTINGS");
  return text == nullptr ? "" : text + std::string(" ");
}();

/// Whether the method is a tree whose cells are opened by the relative criterion.
bool keepsForces() {
  const auto options = optionsWith(kMethod);
  const std::vector<Option> all = options->list();
  const auto isOpening = [](const Option& option) { return option.name == "opening"; };
  return options->errorBound().max > 0 && std::any_of(all.begin(), all.end(), isOpening);
}

/// The method with settings that leave nothing out, even if its forces are approximate otherwise.
std::string exact() {
  if (optionsWith(kMethod)->errorBound().max == 0) return kMethod;
  // With `opening relative`, light cells may still act as a whole.
  return kMethod + (keepsForces() ? "opening distance " : "") + "theta 0.001 ";
}

/// Whether \p option is refused because of another: only then there is nothing to test.
bool namesAnother(const std::string& refusal, const Option& option, StepOptions& step) {
  const auto names = [&](const Option& other) {
    const std::string name = "--" + other.name;
    return refusal.find(name + " ") != std::string::npos ||
           refusal.find(name + ":") != std::string::npos;
  };
  const std::vector<Option> all = step.list();
  return std::any_of(all.begin(), all.end(), [&](const Option& other) {
    return other.name != option.name && names(other);
  });
}

/// How far from its start the lighter of two bodies is after one period cut into \p steps.
double orbitError(const char* scene, int steps) {
  const Bodies start = sceneNamed(scene).make(2, 1);
  const Bodies end =
      advanced(*simulationOf(start, exact(), 1e-5), start, 2 * std::numbers::pi / steps, steps);
  return distance(start.positions[1], end.positions[1]);
}

}  // namespace

TEST_CASE("forces equal the FP64 direct sum", "[sanitizer]") {
  inEveryOrder([] {
    // The most first: the first failure ends the test, and of few bodies the hint says little.
    for (int count : {1000, 513, 257, 256, 255, 33, 32, 31, 2, 1}) {
      requireCorrect(makeCube(count, seed(7)), exact());
      requireCorrect(makePlummer(count, seed(7)), exact());
    }
  });
}

TEST_CASE("forces are correct for every value of every option", "[sanitizer]") {
  const Bodies bodies = makeCube(257, seed(3));
  const auto step = makeStepOptions();
  for (const Option& option : step->list())
    for (const std::string& value : option.values) {
      const std::string settings = exact() + option.name + " " + value;
      try {
        resolved(settings, bodies);
      } catch (const BadInput& refusal) {
        if (!namesAnother(refusal.what(), option, *step)) throw;
        continue;
      }
      requireCorrect(bodies, settings);
    }
}

TEST_CASE("forces are correct for very different masses", "[sanitizer]") {
  Random random(seed(5));
  Bodies bodies = makeCube(300, seed(5));
  for (Double4& p : bodies.positions) p.w = std::pow(10, random.uniform(-6, 6));
  requireCorrect(bodies, exact());
}

TEST_CASE("the second evaluation is as accurate as the first") {
  const Bodies bodies = makeCube(1000, seed(13));
  const std::string settings = kMethod + (keepsForces() ? "leaf 8 group 32 theta 0.2" : "");
  const auto simulation = simulationOf(bodies, settings);
  const ErrorBound bound = resolved(settings, bodies)->errorBound();
  const auto error = [&] {
    simulation->poisonAccelerations();
    simulation->computeForces();
    return checkForces(*simulation, kSoftening, kUnitRoundoff, bound).median;
  };
  const double first = error();
  const double second = error();
  INFO(formatted(
      "hint: the errors grow from the first evaluation to the second (median %.2g, then %.2g): "
      "does the previous acceleration keep cells closed that are too near?",
      first, second));
  // In a uniform cube the second error is 0.55 to 0.67 of the first: it uses the previous acceleration of each group,
  // not one guess for all. With sums instead of means, it is 3 times the first.
  REQUIRE(second <= 1.5 * first);
}

TEST_CASE("bodies at the same place do not pull each other", "[sanitizer]") {
  Bodies bodies = makeCube(40, seed(9));
  for (int i = 1; i < 40; i += 2) bodies.positions[i] = bodies.positions[i - 1];
  requireCorrect(bodies, exact());
  requireNoForces(atOnePoint(33), exact());
}

TEST_CASE("the forces of all bodies add up to zero") {
  const Bodies bodies = makeCube(1000, seed(11));
  const std::vector<Double4> accelerations = accelerationsOf(bodies, exact());
  requireNumbers(bodies, accelerations);
  Double4 sum = {0, 0, 0, 0};
  for (int i = 0; i < bodies.count(); ++i) {
    const double mass = bodies.positions[i].w;
    const Double4& a = accelerations[i];
    sum = plus(sum, {mass * a.x, mass * a.y, mass * a.z, mass * length(a)});
  }
  INFO(formatted(
      "hint: the forces do not add up to zero (their sum is %.2g times the sum of their lengths): "
      "the pull of j on i and the pull of i on j are not equal and opposite",
      length(sum) / sum.w));
  // Each term is wrong by less than the tolerance of its sum, at random: the total by less than
  // that.
  REQUIRE(length(sum) <= forceTolerance(bodies.count(), kUnitRoundoff) * sum.w);
}

TEST_CASE("a two-body orbit closes after one period, with an error of second order") {
  // After one circle, leapfrog is behind by an angle of 2 pi h^2 / 3, where h is the angle of one
  // step. Its orbit is wider by h^2 / 4 of the radius, which makes it slower by h^2 / 2. Drifting
  // on straight lines makes it faster by h^2 / 6. The radius is 0.75.
  CHECK(orbitError("two-body", 200) == Approx(1.55e-3).margin(2e-5));
  for (const char* scene : {"two-body", "two-body-eccentric"}) {
    const double ratio = orbitError(scene, 100) / orbitError(scene, 200);
    INFO(scene << " " << ratio);
    // Terms of the fourth order change the ratio by h^2.
    CHECK(ratio >= 3.8);
    CHECK(ratio <= 4.2);
  }
}

TEST_CASE("the energy of a Plummer sphere drifts little over 60 steps") {
  const Bodies start = makePlummer(128, 2);
  const Bodies end = advanced(*simulationOf(start, exact()), start, 1.0 / 1024, 60);
  const double before = conservedQuantities(start, kSoftening).energy();
  const double after = conservedQuantities(end, kSoftening).energy();
  // Leapfrog keeps the energy except in close encounters, which a softening of 10 steps' motion
  // resolves.
  REQUIRE(std::abs(after / before - 1) <= 1e-4);
}

TEST_CASE("leapfrog is reversible in time") {
  const Bodies start = makePlummer(128, seed(4));
  const auto simulation = simulationOf(start, exact());
  const std::vector<Double4> accelerations = accelerationsOf(start, exact());
  requireNumbers(start, accelerations);
  {
    const auto isZero = [](const Double4& a) { return length(a) == 0; };
    INFO("hint: all forces are zero, so the bodies do not move");
    REQUIRE_FALSE(std::all_of(accelerations.begin(), accelerations.end(), isZero));
  }
  const Bodies there = advanced(*simulation, start, 1.0 / 64, 25);
  for (int i = 0; i < 25; ++i) simulation->step(-1.0 / 64);
  const Bodies back = simulation->download();
  double moved = 0, missed = 0;
  for (int i = 0; i < start.count(); ++i) {
    moved = std::max(moved, distance(start.positions[i], there.positions[i]));
    missed = std::max(missed, distance(start.positions[i], back.positions[i]));
  }
  INFO(formatted(
      "hint: after 25 time steps forwards and 25 back, the bodies are %.2g from their start "
      "(they had moved by %.2g): do the forces depend on more than the positions?",
      missed, moved));
  CHECK(moved >= 0.1);
  // 50 steps of rounding at positions of up to 10, grown by close encounters.
  CHECK(missed <= 1e5 * kUnitRoundoff);
}
