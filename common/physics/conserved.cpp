#include "physics/conserved.hpp"

#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "bodies/vectors.hpp"
#include "physics/device_sums.hpp"
#include "physics/reference.hpp"

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

Conserved conservedQuantities(const Bodies& bodies, double softening) {
  Conserved sum = conservedMomenta(bodies);
  const int count = bodies.count();
  const bool onDevice = useDeviceSums(bodies, 0.5 * count * count);
  if (count > (onDevice ? kMostForDeviceEnergy : kMostForEnergy)) return sum;
  if (onDevice) {
    sum.potential = devicePotentialEnergy(bodies, softening);
    return sum;
  }
  std::vector<double> potential(count);
  // Rows k and count - 1 - k together have count pairs, so equal shares of k are equal work.
  parallelForEach((count + 1) / 2, 16, [&](int k) {
    for (int i : {k, count - 1 - k}) {  // in the field of the bodies before it: each pair once
      const Double4& body = bodies.positions[i];
      potential[i] = body.w * potentialAt(body, bodies, i, softening);
    }
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
