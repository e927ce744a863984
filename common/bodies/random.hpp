/// \file
/// Random numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "cuda/real.hpp"

namespace nbody {

/// The engine is fixed by the C++ standard; the standard's distributions are not, so none is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// A vector of length \p length in a uniformly random direction (w is 0), by rejection from the
  /// cube: square roots are exact to the last bit everywhere, sines are not.
  Double4 direction(double length) {
    for (;;) {
      Double4 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 0};
      double r2 = p.x * p.x + p.y * p.y + p.z * p.z;
      if (r2 > 1 || r2 < 1e-4) continue;
      double scale = length / std::sqrt(r2);
      return {p.x * scale, p.y * scale, p.z * scale, 0};
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace nbody
