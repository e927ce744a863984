/// \file
/// Random numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <future>
#include <random>
#include <vector>

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

/// Returns a number uniform in [0, 1), a multiple of 2^-53, from 64 random bits.
inline double uniformFrom(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Returns whether a random point of the cube is taken as a point of the ball: it is not farther than 1, and has a direction.
inline bool isInBall(const Double4& p) {
  const double r2 = p.x * p.x + p.y * p.y + p.z * p.z;
  return r2 <= 1 && r2 >= 1e-4;
}

/// Random numbers in blocks, the same as Random's uniform(). Another thread draws the next block.
class UniformBlocks {
 public:
  /// \param size  numbers of a block
  UniformBlocks(std::uint64_t seed, int size) : engine_(seed), coming_(size) { draw(); }

  /// Drops the numbers that have been used, adds a block, and returns them all.
  const std::vector<double>& next() {
    if (ahead_.valid()) ahead_.get();
    numbers_.erase(numbers_.begin(), numbers_.begin() + used_);
    numbers_.insert(numbers_.end(), coming_.begin(), coming_.end());
    used_ = 0;
    ahead_ = std::async(std::launch::async, [this] { draw(); });
    return numbers_;
  }

  /// Says that the first \p count of these numbers have been used.
  void use(int count) { used_ = count; }

 private:
  void draw() {
    for (double& number : coming_) number = uniformFrom(engine_());
  }

  std::mt19937_64 engine_;
  std::vector<double> numbers_, coming_;
  int used_ = 0;
  std::future<void> ahead_;  ///< the last member: it ends before the others are destroyed
};

/// A generator of random numbers. The C++ standard fixes its engine, but not the standard's distributions, so
/// none of those is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return uniformFrom(engine_()); }

  /// Returns a number uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Returns a point in a uniformly random direction, not farther than 1; w is 0. It rejects points of a cube, because
  /// square roots are exact to the last bit everywhere, and sines are not.
  Double4 pointOfBall() {
    for (;;) {
      const Double4 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 0};
      if (isInBall(p)) return p;
    }
  }

  /// Returns a vector of length \p length in a uniformly random direction; w is 0.
  Double4 direction(double length) { return lengthened(pointOfBall(), length); }

  /// Returns \p point at length \p length; w is 0.
  static Double4 lengthened(const Double4& p, double length) {
    const double scale = length / std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    return {p.x * scale, p.y * scale, p.z * scale, 0};
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
