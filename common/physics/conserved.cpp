#include "physics/conserved.hpp"

#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "bodies/vectors.hpp"
#include "physics/gravity.hpp"

namespace nbody {

Conserved conservedMomenta(const Bodies& bodies) {
  Conserved sum = {};
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4 &p = bodies.positions[i], &v = bodies.velocities[i];
    sum.kinetic += 0.5 * p.w * dot(v, v);
    sum.speedScale += p.w * length(v);
    sum.momentum = plus(sum.momentum, times(p.w, v));
  }
  sum.potential = std::numeric_limits<double>::quiet_NaN();
  return sum;
}

/// Potential of body i in the field of the bodies before it, each pair thus once.
static double potentialOf(int i, const Bodies& bodies, double softening) {
  const Double4* sources = bodies.positions.data();
  const Double4 body = sources[i];
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int j = 0; j < i; ++j) {
    double rx = sources[j].x - body.x;
    double ry = sources[j].y - body.y;
    double rz = sources[j].z - body.z;
    sum += sources[j].w * inverseDistance(rx, ry, rz, softening * softening);
  }
  return -body.w * sum;
}

Conserved conservedQuantities(const Bodies& bodies, double softening) {
  Conserved sum = conservedMomenta(bodies);
  const int count = bodies.count();
  if (count > kMostForEnergy) return sum;
  std::vector<double> potential(count);
  // Rows k and count - 1 - k together have count pairs, so equal shares of k are equal work.
  parallelForEach((count + 1) / 2, 16, [&](int k) {
    potential[k] = potentialOf(k, bodies, softening);
    potential[count - 1 - k] = potentialOf(count - 1 - k, bodies, softening);
  });
  sum.potential = 0;
  for (double p : potential) sum.potential += p;  // in order: the same bits on any number of cores
  return sum;
}

Drift driftOf(const Conserved& start, const Conserved& now) {
  const auto ratio = [](double change, double scale) { return change == 0 ? 0 : change / scale; };
  Drift drift = {ratio(distance(now.momentum, start.momentum), now.speedScale), std::nullopt};
  if (!std::isnan(start.potential) && !std::isnan(now.potential))
    drift.energy = ratio(std::abs(now.energy() - start.energy()), std::abs(start.energy()));
  return drift;
}

}  // namespace nbody
