/// \file
/// Random numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/double4.hpp"

namespace nbody {

/// Returns a seed for part \p part of the bodies, so that parts can be drawn on any core in any order (splitmix64:
/// Steele, Lea and Flood 2014).
inline std::uint64_t seedOfPart(std::uint64_t seed, std::uint64_t part) {
  std::uint64_t mixed = seed + 0x9e3779b97f4a7c15u * (part + 1);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/// Gives the numbers of std::mt19937_64. The standard library's code has a branch for each number, which processors
/// cannot predict. This code has none, so that compilers use vector instructions: a number takes a third of the time,
/// and a number that is skipped an eighth.
class MersenneTwister {
 public:
  static constexpr int kWords = 312;  ///< of the state, which a step renews as a whole

  explicit MersenneTwister(std::uint64_t seed) {
    words_[0] = seed;
    for (int k = 1; k < kWords; ++k)
      words_[k] = 6364136223846793005u * (words_[k - 1] ^ (words_[k - 1] >> 62)) + k;
  }

  std::uint64_t operator()() {
    if (next_ == kWords) renew();
    std::uint64_t y = words_[next_++];
    y ^= (y >> 29) & 0x5555555555555555u;
    y ^= (y << 17) & 0x71d67fffeda60000u;
    y ^= (y << 37) & 0xfff7eee000000000u;
    return y ^ (y >> 43);
  }

  /// Skips \p count numbers.
  void discard(long long count) {
    for (; count > kWords - next_; renew()) count -= kWords - next_;
    next_ += static_cast<int>(count);
  }

 private:
  static constexpr int kMiddle = 156;

  std::uint64_t mixed(int k, int after) const {
    constexpr std::uint64_t kLow = 0x7fffffff;  // bits that come from the next word
    const std::uint64_t y = (words_[k] & ~kLow) | (words_[after] & kLow);
    return (y >> 1) ^ (-(y & 1) & 0xb5026f5aa96619e9u);
  }

  void renew() {
    for (int k = 0; k < kMiddle; ++k) words_[k] = words_[k + kMiddle] ^ mixed(k, k + 1);
    for (int k = kMiddle; k < kWords - 1; ++k) words_[k] = words_[k - kMiddle] ^ mixed(k, k + 1);
    words_[kWords - 1] = words_[kMiddle - 1] ^ mixed(kWords - 1, 0);
    next_ = 0;
  }

  std::uint64_t words_[kWords];
  int next_ = kWords;
};

/// A generator of random numbers. The C++ standard fixes its engine, but not the standard's distributions, so
/// none of those is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Continues the sequence of \p engine.
  explicit Random(const MersenneTwister& engine) : engine_(engine) {}

  /// Returns a number uniform in [0, 1), a multiple of 2^-53.
  double uniform() {
    ++used_;
    return static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

  /// Returns how many numbers have been used or skipped.
  long long used() const { return used_; }

  void skip(long long count) {
    engine_.discard(count);
    used_ += count;
  }

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
  Double4 direction(double length) {
    const Double4 p = pointOfBall();
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
  MersenneTwister engine_;
  long long used_ = 0;
};

}  // namespace nbody
