#include "program/validation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "physics/reference.hpp"
#include "program/symptoms.hpp"

namespace nbody {

namespace {

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

bool finite(const Double4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Value at \p fraction of the way through \p sorted; NaN sorts last, so that it is never hidden.
double quantile(const std::vector<double>& sorted, double fraction) {
  return sorted[static_cast<std::size_t>(fraction * (sorted.size() - 1) + 0.5)];
}

void summarizeErrors(std::vector<double> errors, ForceError& result) {
  std::sort(errors.begin(), errors.end(), [](double a, double b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  });
  result.sampled = static_cast<int>(errors.size());
  result.median = quantile(errors, 0.5);
  result.p99 = quantile(errors, 0.99);
  result.max = errors.back();
}

}  // namespace

ForceError checkForces(Simulation& simulation,
                       double softening,
                       double unitRoundoff,
                       double approximation) {
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
                         forceTolerance(bodies.count(), unitRoundoff) + approximation);
  return error;
}

std::vector<int> checkedBodies(int count) {
  constexpr int kAll = 4096;
  constexpr int kSample = 1000;
  return sampleOf(count, count <= kAll ? kAll : kSample);
}

double forceTolerance(int count, double unitRoundoff) {
  // A term carries up to about 10 roundings (differences, square, 2 ulp of rsqrtf cubed, products).
  // A sum of N terms in a row adds N roundings of up to the running sum; at random they come to
  // sqrt(N / 12) on average, and 2 sqrt(N) is 7 times that. Behind a close neighbour's pull, far
  // terms fall below the sum's last bit and their loss adds up one way, to N / 2 at worst; one body
  // of 1,000 at N = 1,048,576 came to N / 260.
  const double n = count;
  return unitRoundoff * (16 + 2 * std::sqrt(n) + n / 64);
}

ForceError compareForces(const Bodies& bodies,
                         const std::vector<Double4>& accelerations,
                         double softening,
                         double unitRoundoff,
                         double approximation) {
  const int count = bodies.count();
  ForceError result;
  for (int i = 0; i < count; ++i) {
    if (finite(accelerations[i])) continue;
    result.failure = "the acceleration of body " + std::to_string(i) + " is not a finite number";
    result.sampled = 0;
    result.median = result.p99 = result.max = std::nan("");
    return result;
  }

  const std::vector<int> sample = checkedBodies(count);
  const std::vector<Double4> reference = referenceAccelerations(bodies, softening, sample);
  const double rounding = forceTolerance(count, unitRoundoff);
  const double tolerance = rounding + approximation;
  const std::string explanation =
      approximation > 0 ? "the approximation explains" : "rounding explains";
  std::vector<double> errors;
  std::vector<double> scaled;  // in units of S
  result.passed = true;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const Double4& a = accelerations[sample[k]];
    const Double4& r = reference[k];
    const double error = length(a.x - r.x, a.y - r.y, a.z - r.z);
    const double magnitude = length(r.x, r.y, r.z);
    errors.push_back(error == 0 ? 0 : error / magnitude);
    scaled.push_back(error == 0 ? 0 : error / r.w);
    if (!(error <= tolerance * r.w) && result.passed) {
      char text[160];
      std::snprintf(text,
                    sizeof text,
                    "body %d: the error is %.2g of the forces on it, %s %.2g",
                    sample[k],
                    error / r.w,
                    explanation.c_str(),
                    tolerance);
      result.failure = text;
      result.passed = false;
    }
  }
  summarizeErrors(std::move(errors), result);
  std::sort(scaled.begin(), scaled.end());
  const double half = quantile(scaled, 0.5);
  if (const double most = rounding + approximation / 16; result.passed && !(half <= most)) {
    char text[160];
    std::snprintf(text,
                  sizeof text,
                  "half of the bodies have errors above %.2g of the forces on them, %s %.2g",
                  half,
                  explanation.c_str(),
                  most);
    result.failure = text;
    result.passed = false;
  }
  return result;
}

void checkFinite(const Bodies& bodies) {
  for (int i = 0; i < bodies.count(); ++i)
    if (!finite(bodies.positions[i]) || !finite(bodies.velocities[i]))
      throw std::runtime_error("body " + std::to_string(i) +
                               " left the numbers: its position or velocity is not finite");
}

}  // namespace nbody
