// Measurements for the tests of the scenes galaxy and merger.
#pragma once

#include "made_bodies.hpp"

namespace nbody {

inline double distanceFromAxis(const Double4& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

inline Centre centreOf(const Bodies& bodies, const BodyRange& range) {
  return centreOf(bodies, range.first, range.count);
}

/// Returns the median distance from the range's centre of mass.
inline double halfMassRadius(const Bodies& bodies, const BodyRange& range) {
  return medianRadius(bodies, range.first, range.count, centreOf(bodies, range).at);
}

/// Checks that the bodies at \p one and \p other, each half of the mass, are \p apart and approach
/// each other on a parabola in the plane z = 0.
inline void checkParabola(const Centre& one, const Centre& other, double apart, double pericentre) {
  const Double4 r = minus(other.at, one.at), v = minus(other.moving, one.moving);
  CHECK(std::abs(length(r) - apart) <= 1e-12);
  CHECK(std::abs(dot(v, v) / 2 - 1 / length(r)) <= 1e-12);  // zero energy
  CHECK(std::abs(cross(r, v).z - std::sqrt(2 * pericentre)) <= 1e-12);
  CHECK(dot(r, v) < 0);
}

/// Bodies between two distances from the z axis.
struct Ring {
  int bodies = 0;
  double circularSpeed = 0;  ///< from the mean pull towards the axis
  double meanSpeed = 0;  ///< around the axis
  double radialDispersion = 0;
  double azimuthalDispersion = 0;
};

/// \param forces  on the bodies of \p range
inline Ring ringOf(const Bodies& bodies, const BodyRange& range, const std::vector<Double4>& forces,
                   double inner, double outer) {
  Ring ring;
  double pull = 0, out = 0, outSquared = 0, along = 0, alongSquared = 0;
  for (int k = 0; k < range.count; ++k) {
    const Double4 &p = bodies.positions[range.first + k], &v = bodies.velocities[range.first + k];
    const double R = distanceFromAxis(p);
    if (R < inner || R >= outer) continue;
    ++ring.bodies;
    pull -= forces[k].x * p.x + forces[k].y * p.y;
    const double outwards = (v.x * p.x + v.y * p.y) / R, around = (p.x * v.y - p.y * v.x) / R;
    out += outwards;
    outSquared += outwards * outwards;
    along += around;
    alongSquared += around * around;
  }
  const double n = ring.bodies;
  ring.circularSpeed = std::sqrt(pull / n);
  ring.meanSpeed = along / n;
  ring.radialDispersion = std::sqrt(outSquared / n - out * out / (n * n));
  ring.azimuthalDispersion = std::sqrt(alongSquared / n - along * along / (n * n));
  return ring;
}

}  // namespace nbody
