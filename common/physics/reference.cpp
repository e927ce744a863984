#include "physics/reference.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bodies/units.hpp"
#include "physics/device_sums.hpp"
#include "physics/gravity.hpp"

namespace nbody {

static Double4 accelerationOf(const Double4& body, const Bodies& bodies, double softening) {
  const Double4* sources = bodies.positions.data();
  const int count = bodies.count();
  double x = 0, y = 0, z = 0, scale = 0;
#pragma omp simd reduction(+ : x, y, z, scale)
  for (int j = 0; j < count; ++j) {
    double rx = sources[j].x - body.x;
    double ry = sources[j].y - body.y;
    double rz = sources[j].z - body.z;
    double s = pullFactor(sources[j].w, rx, ry, rz, softening * softening);
    x += s * rx;
    y += s * ry;
    z += s * rz;
    scale += s * std::sqrt(rx * rx + ry * ry + rz * rz);
  }
  return {x, y, z, scale};
}

std::vector<Double4> referenceAccelerations(const Bodies& bodies, double softening,
                                            const std::vector<int>& sample) {
  if (const Units units = unitsFor(bodies, softening, true); units != Units()) {
    const double inTheseUnits = std::ldexp(softening, -units.length);
    const int back = units.acceleration();
    return scaled(referenceAccelerations(inUnits(bodies, units), inTheseUnits, sample), back, back);
  }
  if (useDeviceSums(bodies, static_cast<double>(sample.size()) * bodies.count()))
    return deviceAccelerations(bodies, softening, sample);
  std::vector<Double4> accelerations(sample.size());
  parallelForEach(static_cast<int>(sample.size()), 1, [&](int k) {
    accelerations[k] = accelerationOf(bodies.positions[sample[k]], bodies, softening);
  });
  return accelerations;
}

double potentialAt(const Double4& place, const Bodies& bodies, int count, double softening) {
  const Double4* sources = bodies.positions.data();
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int j = 0; j < count; ++j)
    sum -= sources[j].w * inverseDistance(sources[j].x - place.x, sources[j].y - place.y,
                                          sources[j].z - place.z, softening * softening);
  return sum;
}

std::vector<double> referencePotentials(const Bodies& bodies, double softening) {
  if (const Units units = unitsFor(bodies, softening, true); units != Units()) {
    std::vector<double> potentials =
        referencePotentials(inUnits(bodies, units), std::ldexp(softening, -units.length));
    for (double& potential : potentials)
      potential = std::ldexp(potential, units.mass - units.length);
    return potentials;
  }
  std::vector<double> potentials(bodies.count());
  parallelForEach(bodies.count(), 1, [&](int i) {
    const Double4& body = bodies.positions[i];
    const double ofAll = potentialAt(body, bodies, bodies.count(), softening);
    potentials[i] = ofAll + body.w / softening;  // without its own
  });
  return potentials;
}

std::vector<int> sampleOf(int count, int most) {
  const int size = std::min(count, most);
  std::vector<int> sample(size);  // the first is body 0
  for (int k = 1; k < size; ++k)
    sample[k] = static_cast<int>(static_cast<long long>(count - 1) * k / (size - 1));
  return sample;
}

}  // namespace nbody
