// How fast the executor runs step 02 on one OS thread, plain and with the checker.
#include <ctime>

#include "benchmark.hpp"
#include "orders.hpp"
#include "physics/gravity.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

constexpr int kRounds = 40;  // at most: other programs take turns in the same caches

/// Processor time of this process, which has one OS thread: other programs want the same cores.
double secondsOf(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The kernel's work as a plain loop.
void serialLoop(const std::vector<float4>& bodies, std::vector<float4>& accelerations) {
  constexpr float kSofteningSquared = 1e-4f;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    float4 a = {0, 0, 0, 0};
    for (const float4& source : bodies) {
      const float3 r = {source.x - bodies[i].x, source.y - bodies[i].y, source.z - bodies[i].z};
      const float s = pullFactor(source.w, r.x, r.y, r.z, kSofteningSquared);
      a = {a.x + s * r.x, a.y + s * r.y, a.z + s * r.z, 0};
    }
    accelerations[i] = a;
  }
}

/// Seconds of the fastest of some rounds, and of the serial loop's, until \p enough of them is.
struct Fastest {
  double executor = 1e9;
  double serial = 1e9;
};

template <class Enough>
Fastest fastest(int count, Enough enough) {
  const Bodies bodies = makePlummer(count, 7);
  const auto simulation = simulationOf(bodies, "");
  const std::vector<float4> positions = converted<float4>(bodies.positions);
  std::vector<float4> accelerations(count);
  Fastest best;
  for (int round = 0; round < kRounds && !(round > 4 && enough(best)); ++round) {
    best.executor = std::min(best.executor, secondsOf([&] { simulation->computeForces(); }));
    best.serial = std::min(best.serial, secondsOf([&] { serialLoop(positions, accelerations); }));
  }
  // The loop's result is used, so that the loop stays.
  CHECK(std::abs(simulation->accelerations()[0].x - accelerations[0].x) <= 1e-3);
  return best;
}

}  // namespace

TEST_CASE("the executor runs step 02 fast enough") {
  const OwnOptions restored;
  executor::options().osThreads = 1;
#ifdef NBODY_CHECK_RACE
  constexpr double kPairs = 1024.0 * 1024.0;
  const Fastest best = fastest(1024, [&](const Fastest& b) { return kPairs / b.executor >= 3e7; });
  atLeast("executor with checker", 1e-6 * kPairs / best.executor, 30, "M interactions/s");
#else
  // A share, not a rate, so that it holds on any machine. With 533 M/s of the loop it means 400 M/s.
  const Fastest best =
      fastest(4096, [](const Fastest& b) { return b.executor * 0.75 <= b.serial; });
  atLeast("executor, compared with a serial loop", best.serial / best.executor, 0.75, "times");
#endif
}
