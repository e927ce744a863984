/// \file
/// Scenes: initial conditions by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Initial conditions that `--scene NAME` makes.
struct Scene {
  std::string name;
  std::string description;  ///< one line: what it is, and its units
  int fixedCount;           ///< bodies that it always has; 0 where `--bodies` chooses
  double softening;         ///< default, in the scene's unit of length
  double timeStep;          ///< default, in the scene's unit of time
  Bodies (*make)(int count, std::uint64_t seed);
};

/// Every scene, in the order of the help.
const std::vector<Scene>& scenes();

/// Throws BadInput, naming the scenes there are, for an unknown name.
const Scene& sceneNamed(const std::string& name);

/// Uniform in the cube [-1, 1]^3, at rest; masses between 0.5 and 1.5 of their mean; total mass 1, G = 1.
/// It collapses within about one time unit.
Bodies makeCube(int count, std::uint64_t seed);

/// A Plummer sphere in N-body units (G = 1, total mass 1, total energy -1/4, in virial equilibrium), equal
/// masses. Source: Aarseth, Henon and Wielen (1974), Astronomy and Astrophysics 37, 183, appendix.
/// The scale length is 3 pi / 16, the half-mass radius 0.77; radii beyond 99.9% of the mass are left out.
/// The centre of mass rests at the origin.
Bodies makePlummer(int count, std::uint64_t seed);

/// Two bodies of masses 0.75 and 0.25, separation 1 at the start, on a circular orbit: G = 1, period 2 pi.
Bodies makeTwoBodyCircular(int count, std::uint64_t seed);

/// The same two on an orbit of semi-major axis 1 and eccentricity 0.5, from apocentre: period 2 pi.
Bodies makeTwoBodyEccentric(int count, std::uint64_t seed);

}  // namespace nbody
