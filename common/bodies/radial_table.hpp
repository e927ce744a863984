/// \file
/// Functions of radius, tabulated.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace nbody {

/// A function's values at radii from 10^-4 to 100, each 1.0136 times the last.
class RadialTable {
 public:
  static constexpr int kCount = 1024;

  static double radius(int k) {
    static const std::array<double, kCount> radii = [] {
      std::array<double, kCount> made;
      for (int k = 0; k < kCount; ++k) made[k] = kLeast * std::exp(kStep * k);
      return made;
    }();
    return radii[k];
  }

  double& operator[](int k) { return values_[k]; }
  double operator[](int k) const { return values_[k]; }

  /// The entry at or before \p r, never the last.
  static int entryBefore(double r) {
    return std::clamp(static_cast<int>(std::log(r / kLeast) / kStep), 0, kCount - 2);
  }

  /// Linear between the entries, constant beyond them.
  double at(double r) const {
    if (!(r > kLeast)) return values_[0];
    const int k = entryBefore(r);
    const double share = std::min(1.0, (r - radius(k)) / (radius(k + 1) - radius(k)));
    return values_[k] + share * (values_[k + 1] - values_[k]);
  }

  /// The derivative by radius at entry \p k, over its neighbours.
  double slopeAt(int k) const {
    const int before = std::max(k - 1, 0), after = std::min(k + 1, kCount - 1);
    return (values_[after] - values_[before]) / (radius(after) - radius(before));
  }

  /// Where a function that grows from 0 at radius 0 has the value \p value, below its last.
  double radiusWhere(double value) const {
    const int k = static_cast<int>(std::upper_bound(values_.begin(), values_.end() - 1, value) -
                                   values_.begin());
    if (k == 0) return kLeast * value / values_[0];
    const double share = (value - values_[k - 1]) / (values_[k] - values_[k - 1]);
    return radius(k - 1) + share * (radius(k) - radius(k - 1));
  }

 private:
  static constexpr double kLeast = 1e-4;
  static constexpr double kStep = 13.815510557964274 / (kCount - 1);  // ln 10^6 over the steps
  std::array<double, kCount> values_ = {};
};

}  // namespace nbody
