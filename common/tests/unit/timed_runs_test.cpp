// Timed runs for grading, on a device whose work takes as long as the test says.
#include "grader/judge/timed_runs.hpp"

#include "wrong_forces.hpp"

using namespace nbody;

namespace {

/// Work that is started takes time only where someone waits for it.
struct FakeDevice {
  double now = 0;
  double pending = 0;
  void synchronizeAll() { now += std::exchange(pending, 0.0); }
};

/// Forces of newly uploaded bodies take 5 ms and are right; `cached`: those of bodies seen before
/// take none, and the first bodies' are kept.
struct FakeStep : FakeSimulation {
  FakeDevice& device;

  FakeStep(FakeDevice& device, bool cached)
      : FakeSimulation([&device, cached, kept = Forces()](const Bodies& bodies) mutable {
          if (cached && !kept.empty()) return kept;
          device.pending += 5;
          return kept = right(bodies);
        }),
        device(device) {}
  void upload(const Bodies& bodies) override {
    FakeSimulation::upload(bodies);
    device.pending += 100;  // which nobody must count
  }
};

std::vector<TimedRun> runsOf(bool cached, std::vector<std::uint64_t>& drawn, double warmUpMs = 0) {
  FakeDevice device;
  FakeStep step(device, cached);
  const TimedRunTools tools = {
      .bodies =
          [&](std::uint64_t seed) {
            drawn.push_back(seed);
            return makeCube(100, seed);
          },
      .synchronizeAll = [&] { device.synchronizeAll(); },
      .nowMs = [&] { return device.now; },
      .check = [](Simulation& s) { return checkForces(s, kSoftening, kUnitRoundoff); }};
  return timedRuns(step, {3, 4, 5}, tools, warmUpMs);
}

}  // namespace

TEST_CASE("a timed run evaluates its own bodies, without their upload") {
  std::vector<std::uint64_t> drawn;
  const std::vector<TimedRun> runs = runsOf(false, drawn, 210);
  // A turn of the warm-up takes 105 ms, its upload included.
  REQUIRE(drawn.size() == 2 + 3);
  CHECK(drawn[0] != 3);
  REQUIRE(runs.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(runs[k].seed == 3 + k);
    CHECK(runs[k].ms == 5);
    CHECK(runs[k].passed);
  }
}

TEST_CASE("forces that were kept from the bodies before are wrong") {
  std::vector<std::uint64_t> drawn;
  for (const TimedRun& run : runsOf(true, drawn)) {
    CHECK_FALSE(run.passed);
    CHECK_FALSE(run.failure.empty());
  }
}
