/// \file
/// Computes forces of the step under test with options given as text, and compares them with FP64.
#pragma once

#include <sstream>

#include "bodies/vectors.hpp"
#include "cuda/launch.hpp"
#include "diagnose/symptoms.hpp"
#include "driver/validation.hpp"
#include "made_bodies.hpp"

namespace nbody {

inline constexpr double kUnitRoundoff = sizeof(real) == 4 ? 0x1p-24 : 0x1p-53;
inline constexpr double kSoftening = 0.01;

/// Returns the step's options with \p settings like "theta 0.3 leaf 16".
inline std::unique_ptr<StepOptions> optionsWith(const std::string& settings) {
  auto options = makeStepOptions();
  std::istringstream words(settings);
  for (std::string name, value; words >> name >> value;) {
    const std::vector<Option> all = options->list();
    const auto reads = [&](const Option& o) { return o.name == name && o.read(value); };
    if (std::none_of(all.begin(), all.end(), reads)) FAIL("no option " << name << " " << value);
  }
  return options;
}

/// Returns the step's options with \p settings, resolved for \p bodies.
inline std::unique_ptr<StepOptions> resolved(const std::string& settings, const Bodies& bodies) {
  auto options = optionsWith(settings);
  options->resolve(workloadOf(bodies, multiprocessors()));
  return options;
}

/// Returns the step's simulation, with \p bodies uploaded and accelerations poisoned.
inline std::unique_ptr<Simulation> simulationOf(const Bodies& bodies, const std::string& settings,
                                                double softening = kSoftening) {
  auto simulation = makeStepSimulation(bodies.count(), softening, *resolved(settings, bodies));
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  return simulation;
}

inline std::vector<Double4> accelerationsOf(const Bodies& bodies, const std::string& settings) {
  const auto simulation = simulationOf(bodies, settings);
  simulation->computeForces();
  return simulation->accelerations();
}

inline ForceError errorOf(const Bodies& bodies, const std::string& settings,
                          double softening = kSoftening) {
  const auto simulation = simulationOf(bodies, settings, softening);
  simulation->computeForces();
  const ErrorBound bound = resolved(settings, bodies)->errorBound();
  return checkForces(*simulation, softening, kUnitRoundoff, bound);
}

inline void requireCorrect(const Bodies& bodies, const std::string& settings) {
  const ForceError error = errorOf(bodies, settings);
  INFO(settings << ", " << bodies.count() << " bodies: " << error.failure
                << "\n  hint: " << error.hint);
  REQUIRE(error.passed);
}

/// Fails with what the forces are if some are not finite.
inline void requireNumbers(const Bodies& bodies, const std::vector<Double4>& accelerations) {
  if (std::all_of(accelerations.begin(), accelerations.end(), isFinite)) return;
  INFO("hint: " << symptomOf(bodies, accelerations, accelerations, kSoftening, 1).text);
  REQUIRE(false);
}

/// Fails if a force on a body is not zero.
inline void requireNoForces(const Bodies& bodies, const std::string& settings) {
  INFO("hint: bodies at one point feel forces from each other, where each pull is 0");
  for (const Double4& a : accelerationsOf(bodies, settings)) {
    REQUIRE(a.x == 0);
    REQUIRE(a.y == 0);
    REQUIRE(a.z == 0);
  }
}

/// Returns the metric \p name of an evaluation in parts.
inline double metricOf(const PhaseTimes& times, const std::string& name) {
  for (const Metric& metric : times.metrics)
    if (metric.name == name) return metric.value;
  FAIL("no metric " << name);
  return 0;
}

}  // namespace nbody
