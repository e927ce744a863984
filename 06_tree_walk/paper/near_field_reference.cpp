#include "06_tree_walk/paper/near_field.hpp"
#include "bodies/vectors.hpp"
#include "physics/reference.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

/// Returns the acceleration of body \p i from referenceAccelerations().
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
  const std::vector<int> sample = sampleOf(run.grid.count(), 1000);
  std::vector<Double4> reference;
  for (int i : sample) reference.push_back(referenceOf(run, bodies, i));
  const double rounding = forceTolerance(27 * run.grid.bodies, 0x1p-24);
  return compareForces(converted<Double4>(accelerations), sample, reference, rounding);
}

}  // namespace nbody::inline NBODY_PRECISION::walk
