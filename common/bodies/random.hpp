/// \file
/// Random numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <future>
#include <random>
#include <utility>
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

/// Numbers of std::mt19937_64, which another thread draws a block ahead: half of the time of millions of bodies.
class DrawnAhead {
 public:
  explicit DrawnAhead(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t operator()() {
    if (next_ == block_.size()) refill();
    return block_[next_++];
  }

 private:
  void refill() {
    if (ahead_.valid()) ahead_.get();
    else draw();
    std::swap(block_, coming_);
    next_ = 0;
    ahead_ = std::async(std::launch::async, [this] { draw(); });
  }

  void draw() {
    coming_.resize(1 << 15);
    for (std::uint64_t& number : coming_) number = engine_();
  }

  std::mt19937_64 engine_;
  std::vector<std::uint64_t> block_, coming_;
  std::size_t next_ = 0;
  std::future<void> ahead_;  ///< the last member: it ends before the others are destroyed
};

/// A generator of random numbers. The C++ standard fixes its engine, but not the standard's distributions, so
/// none of those is used.
/// \tparam Engine  std::mt19937_64, or one with the same numbers
template <class Engine>
class RandomFrom {
 public:
  explicit RandomFrom(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Returns a number uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Returns a point in a uniformly random direction, not farther than 1; w is 0. It rejects points of a cube, because
  /// square roots are exact to the last bit everywhere, and sines are not.
  Double4 pointOfBall() {
    for (;;) {
      const Double4 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 0};
      const double r2 = p.x * p.x + p.y * p.y + p.z * p.z;
      if (r2 <= 1 && r2 >= 1e-4) return p;
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
  Engine engine_;
};

using Random = RandomFrom<std::mt19937_64>;

}  // namespace nbody
