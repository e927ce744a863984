#include "driver/live/numbers.hpp"

#include <algorithm>

#include "base/bad_input.hpp"
#include "driver/validation.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

constexpr double kBetweenChecksMs = 3000;
constexpr double kShareOfChecks = 0.01;  ///< of all time, at most
constexpr double kPairsOfCheck = 3e7;  ///< few enough that a check does not delay a frame

Json jsonOf(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

ForceError errorOf(const Simulation& simulation, const Bodies& bodies, double softening) {
  const int most = std::clamp(static_cast<int>(kPairsOfCheck / bodies.count()), 32, 1000);
  const std::vector<int> sample = sampleOf(bodies.count(), most);
  return compareForces(simulation.accelerations(),
                       sample,
                       referenceAccelerations(bodies, softening, sample),
                       0);  // only the distribution is shown
}

}  // namespace

LiveNumbers::LiveNumbers(const Program& program, const Device& device)
    : program_(program), device_(device) {}

void LiveNumbers::start(const Bodies& bodies, double softening) {
  start_ = conservedBy(bodies, softening);
}

void LiveNumbers::count(int steps, double ms) {
  running_.steps += steps;
  running_.ms += ms;
  if (last_.steps == 0) last_ = running_;
}

void LiveNumbers::forget() {
  running_ = last_ = {};
  speed_.reset();
  stepsPerSecond_.reset();
  parts_.reset();
  error_.reset();
  drift_.reset();
  nextCheckMs_ = 0;
}

bool LiveNumbers::checkIsDue() const { return nowMs() >= nextCheckMs_; }

void LiveNumbers::check(Simulation& simulation, double softening, double time) {
  const double started = nowMs();
  const Bodies bodies = simulation.download();
  if (const std::string found = notFinite(bodies); !found.empty())
    throw BadInput("run: " + found + "; reset it, with shorter steps or more softening");
  error_ = errorOf(simulation, bodies, softening);
  errorTime_ = time;
  drift_ = driftOf(start_, conservedBy(bodies, softening));
  parts_ = measurePhases(simulation, 1, false);
  simulation.synchronize();
  const double ended = nowMs();
  nextCheckMs_ = ended + std::max(kBetweenChecksMs, (ended - started) / kShareOfChecks);
}

Json LiveNumbers::numbers(int bodies) {
  if (running_.steps > 0) last_ = std::exchange(running_, {});
  if (last_.steps > 0 && device_.kind != "executor") {
    speed_ = speedOf(stepMs(), bodies, !program_.doublePrecision, parts_, device_);
    stepsPerSecond_ = 1e3 / stepMs();
  }
  Json error = nullptr;
  if (error_) error = {{"median", error_->median}, {"p99", error_->p99}, {"at", errorTime_}};
  return {{"stepsPerSecond", jsonOf(stepsPerSecond_)},
          {"interactionsPerSecond", speed_ ? Json(speed_->interactionsPerSecond) : Json(nullptr)},
          {"gflops", speed_ ? Json(speed_->gflops) : Json(nullptr)},
          {"ceilingShare", speed_ ? jsonOf(speed_->fmaShare) : Json(nullptr)},
          {"error", error},
          {"energyDrift", drift_ ? jsonOf(drift_->energy) : Json(nullptr)},
          {"momentumDrift", drift_ ? Json(drift_->momentum) : Json(nullptr)}};
}

}  // namespace nbody
