#include "driver/validation.hpp"

#include <cmath>
#include <stdexcept>

#include "diagnose/symptoms.hpp"

namespace nbody {

namespace {

bool finite(const Double4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

ForceError checkForces(Simulation& simulation,
                       double softening,
                       double unitRoundoff,
                       ErrorBound approximation) {
  const std::vector<Double4> accelerations = simulation.accelerations();
  // The bodies that the simulation holds: rounded to its precision, so that the error is of its
  // arithmetic alone.
  const Bodies bodies = simulation.download();
  ForceError error = compareForces(bodies, accelerations, softening, unitRoundoff, approximation);
  if (error.passed) return error;
  simulation.poisonAccelerations();
  simulation.computeForces();
  simulation.synchronize();
  error.hint = symptomOf(bodies,
                         accelerations,
                         simulation.accelerations(),
                         softening,
                         forceTolerance(bodies.count(), unitRoundoff) + approximation.max);
  return error;
}

void checkFinite(const Bodies& bodies) {
  for (int i = 0; i < bodies.count(); ++i)
    if (!finite(bodies.positions[i]) || !finite(bodies.velocities[i]))
      throw std::runtime_error("body " + std::to_string(i) +
                               ": its position or velocity became NaN or infinite");
}

}  // namespace nbody
