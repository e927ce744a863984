/// \file
/// The cube that the root divides: another one in each step, so that errors do not add up.
#pragma once

#include "host/octree.hpp"
#include "tree/sums.cuh"

namespace nbody {

/// All bits of \p state and of \p value, mixed: splitmix64.
__device__ inline std::uint64_t mixed(std::uint64_t state, double value) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15 + __double_as_longlong(value + 0.0);  // -0 is 0
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Twice as large as \p box, the bodies' own, needs, and beginning anywhere that leaves them in it:
/// where, the bits of the box say, so that the same bodies have the same cube. They change in each
/// step, and with them all cells and their errors, which average out instead of adding up.
__device__ inline RootCube rootAround(const Bounds& box) {
  const real3 low = box.lower, high = box.upper;
  const double side =
      max(double{high.x} - low.x, max(double{high.y} - low.y, double{high.z} - low.z));
  std::uint64_t bits = 0;
  for (double x : {low.x, low.y, low.z, high.x, high.y, high.z}) bits = mixed(bits, x);
  const auto before = [&](double lower) {
    bits = mixed(bits, 0);
    return lower - side * (bits >> 11) * 0x1p-53;
  };
  const double x = before(low.x), y = before(low.y), z = before(low.z);
  return {{x, y, z}, 2 * side};
}

}  // namespace nbody
