#include <algorithm>
#include <cmath>
#include <cstdio>

#include "driver/validation.hpp"
#include "near_field/near_field.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

/// What body \p i feels, as referenceAccelerations() has it.
Double4 referenceOf(const NearFieldRun& run, const std::vector<real4>& bodies, int i) {
  const int each = run.grid.bodies;
  Bodies near;
  int self = 0;
  for (int k = 0; k < 27; ++k) {
    const Neighbour neighbour = neighbourOf(run.grid, i / each, k);
    if (neighbour.number < 0) continue;
    if (k == 13) self = near.count() + i % each;  // the cell itself
    for (int j = 0; j < each; ++j) {
      const real4 b = imageOf(bodies[neighbour.number * each + j], neighbour.shift);
      near.add({b.x, b.y, b.z, b.w}, {0, 0, 0, 0});
    }
  }
  return referenceAccelerations(near, run.softening, {self})[0];
}

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

}  // namespace

NearFieldResult checkNearField(const NearFieldRun& run,
                               const std::vector<real4>& bodies,
                               const std::vector<real4>& accelerations) {
  const double tolerance = forceTolerance(27 * run.grid.bodies, 0x1p-24);
  NearFieldResult result;
  for (int i = 0; i < run.grid.count(); ++i) {
    const real4& a = accelerations[i];
    if (std::isfinite(length(a.x, a.y, a.z))) continue;
    result.failure = "the acceleration of body " + std::to_string(i) + " is not a finite number";
    break;
  }
  std::vector<double> errors;
  for (int i : sampleOf(run.grid.count(), 1000)) {
    const real4& a = accelerations[i];
    const Double4 r = referenceOf(run, bodies, i);
    const double error = length(a.x - r.x, a.y - r.y, a.z - r.z);
    errors.push_back(error == 0 ? 0 : error / length(r.x, r.y, r.z));
    if (error <= tolerance * r.w || !result.failure.empty()) continue;
    char text[160];
    std::snprintf(
        text,
        sizeof text,
        "body %d of cell %d: the error is %.2g of the forces on it, rounding explains %.2g",
        i % run.grid.bodies,
        i / run.grid.bodies,
        error / r.w,
        tolerance);
    result.failure = text;
  }
  // NaN last, so that it is never hidden.
  std::sort(errors.begin(), errors.end(), [](double a, double b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  });
  result.sampled = static_cast<int>(errors.size());
  result.median = errors[errors.size() / 2];
  result.p99 = errors[errors.size() * 99 / 100];
  result.max = errors.back();
  return result;
}

}  // namespace nbody
