/// \file
/// Random numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "cuda/real.hpp"

namespace nbody {

/// Returns a seed for part \p part of the bodies, so that parts can be drawn on any core in any order (splitmix64:
/// Steele, Lea and Flood 2014).
inline std::uint64_t seedOfPart(std::uint64_t seed, std::uint64_t part) {
  std::uint64_t mixed = seed + 0x9e3779b97f4a7c15u * (part + 1);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/// A generator of random numbers. The C++ standard fixes its engine, but not the standard's distributions, so
/// none of those is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Returns a number uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Returns a vector of length \p length in a uniformly random direction; w is 0. It rejects points of a cube,
  /// because square roots are exact to the last bit everywhere, and sines are not.
  Double4 direction(double length) {
    for (;;) {
      Double4 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 0};
      double r2 = p.x * p.x + p.y * p.y + p.z * p.z;
      if (r2 > 1 || r2 < 1e-4) continue;
      double scale = length / std::sqrt(r2);
      return {p.x * scale, p.y * scale, p.z * scale, 0};
    }
  }

  /// Returns a vector of length 1 in a uniformly random direction of the plane z = 0.
  Double4 directionInPlane() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double r2 = x * x + y * y;
      if (r2 <= 1 && r2 >= 1e-4) return {x / std::sqrt(r2), y / std::sqrt(r2), 0, 0};
    }
  }

  /// Returns a normal number with mean 0 and deviation 1 (Marsaglia's polar method; its second number is not kept).
  double normal() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double r2 = x * x + y * y;
      if (r2 < 1 && r2 > 0) return x * std::sqrt(-2 * std::log(r2) / r2);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace nbody
