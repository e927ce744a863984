/// \file
/// What is wrong with the root of step 07's tree and with what it says of all bodies together.
#pragma once

#include "host/octree.hpp"
#include "tree/arrays.cuh"

namespace nbody {

/// What is wrong with the root of \p bodies' tree; else "".
inline std::string faultOfRoot(const RootCube& root, const std::vector<Double4>& bodies) {
  const Box box = tightBox(bodies.data(), static_cast<int>(bodies.size()));
  if (root.side != 2 * box.side()) return "the root's side";
  const double3 below = box.lower - root.lower;
  for (double shift : {below.x, below.y, below.z})
    if (!(shift >= 0 && shift <= box.side())) return "the root's place";
  return "";
}

/// What is wrong with the root mean square distance of \p bodies from their centre of mass and with the
/// density that follows; else "". The device adds up squares of distances from the first body.
inline std::string faultOfExtent(const TreeState& state, const std::vector<Double4>& bodies) {
  double mass = 0, squares = 0, farthest = 0;
  double3 sum = {0, 0, 0};
  for (const Double4& b : bodies) {
    const double3 r = placeOf(b) - placeOf(bodies[0]);
    mass += b.w;
    sum = sum + b.w * r;
    farthest = std::max(farthest, squaredLength(r));
  }
  const double3 centre = mass == 0 ? double3{0, 0, 0} : (1 / mass) * sum;
  for (const Double4& b : bodies)
    squares += b.w * squaredLength(placeOf(b) - placeOf(bodies[0]) - centre);
  const double expected = mass == 0 ? 0 : squares / mass, found = state.radius * state.radius;
  if (!(std::abs(found - expected) <= 16 * bodies.size() * 0x1p-53 * farthest)) return "radius";
  const double density = found > 0 ? mass / found : 1;
  return std::abs(state.density / density - 1) <= 1e-9 ? "" : "density";
}

}  // namespace nbody
