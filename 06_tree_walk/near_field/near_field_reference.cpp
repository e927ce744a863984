#include <cstdio>

#include "bodies/convert.hpp"
#include "bodies/vectors.hpp"
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
      near.add({b.x, b.y, b.z, b.w});
    }
  }
  return referenceAccelerations(near, run.softening, {self})[0];
}

}  // namespace

ForceError checkNearField(const NearFieldRun& run,
                          const std::vector<real4>& bodies,
                          const std::vector<real4>& accelerations) {
  const std::vector<Double4> forces = converted<Double4>(accelerations);
  const double tolerance = forceTolerance(27 * run.grid.bodies, 0x1p-24);
  ForceError result;
  for (int i = 0; i < run.grid.count(); ++i) {
    if (isFinite(forces[i])) continue;
    result.failure = "the acceleration of body " + std::to_string(i) + " is not a finite number";
    break;
  }
  std::vector<double> errors;
  for (int i : sampleOf(run.grid.count(), 1000)) {
    const Double4 r = referenceOf(run, bodies, i);
    const double error = distance(forces[i], r);
    errors.push_back(error == 0 ? 0 : error / length(r));
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
  summarizeErrors(std::move(errors), result);
  result.passed = result.failure.empty();
  return result;
}

}  // namespace nbody
