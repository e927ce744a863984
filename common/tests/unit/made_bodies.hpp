/// \file
/// Makes, moves, measures and compares bodies in tests.
#pragma once

#include <cstring>

#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"
#include "catch.hpp"
#include "driver/simulation.hpp"

namespace nbody {

/// Returns bodies at rest.
inline Bodies bodiesAt(const std::vector<Double4>& positions) {
  return {positions, std::vector<Double4>(positions.size())};
}

inline Bodies atOnePoint(int count) {
  return bodiesAt(std::vector<Double4>(count, {0.25, -0.5, 1, 1}));
}

/// Returns \p bodies after \p steps time steps, beginning with their forces.
inline Bodies advanced(Simulation& simulation, const Bodies& bodies, double timeStep, int steps) {
  simulation.upload(bodies);
  simulation.computeForces();
  for (int i = 0; i < steps; ++i) simulation.step(timeStep);
  return simulation.download();
}

/// Returns \p count bodies whose numbers have as many digits as those of a run in single precision.
inline Bodies manyBodies(int count) {
  Random random(1);
  Bodies bodies;
  bodies.positions.reserve(count);
  bodies.velocities.reserve(count);
  const auto number = [&] {
    return static_cast<double>(static_cast<float>(random.uniform(-1, 1)));
  };
  for (int i = 0; i < count; ++i)
    bodies.add({number(), number(), number(), 1.0 / count}, {number(), number(), number(), 0});
  return bodies;
}

/// A centre of mass, with the total mass in w, and its velocity.
struct Centre {
  Double4 at = {0, 0, 0, 0};
  Double4 moving = {0, 0, 0, 0};
};

inline Centre centreOf(const Bodies& bodies, int first, int count) {
  long double mass = 0;  // because rounding would move the centre
  for (int i = first; i < first + count; ++i) mass += bodies.positions[i].w;
  Centre centre;
  for (int i = first; i < first + count; ++i) {
    const double share = static_cast<double>(bodies.positions[i].w / mass);
    centre.at = plus(centre.at, times(share, bodies.positions[i]));
    centre.moving = plus(centre.moving, times(share, bodies.velocities[i]));
  }
  centre.at.w = static_cast<double>(mass);
  return centre;
}

/// Returns the median distance of bodies from \p centre.
inline double medianRadius(const Bodies& bodies, int first, int count, const Double4& centre) {
  std::vector<double> radii;
  for (int i = first; i < first + count; ++i)
    radii.push_back(distance(bodies.positions[i], centre));
  std::nth_element(radii.begin(), radii.begin() + count / 2, radii.end());
  return radii[count / 2];
}

template <class T>
bool sameBits(const std::vector<T>& one, const std::vector<T>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0;
}

}  // namespace nbody
