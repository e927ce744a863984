/// \file
/// What step 06 lets its user choose.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "program/choices.hpp"

namespace nbody {

/// The error of a body that the opening angle explains, in units of the sum of its forces' lengths.
inline double openingError(const Parameters& all) {
  const double theta = all.named("theta").number();
  return all["multipole"] == 1 ? std::pow(theta, 3) : std::pow(theta, 2);
}

/// `--theta`, in thousandths.
inline Parameter thetaParameter() {
  std::vector<int> allowed(1500);
  std::iota(allowed.begin(), allowed.end(), 1);
  return {
      .name = "theta",
      .help = "opening angle: a cell of side l is opened nearer than l / theta (and its offset)",
      .value = 500,
      .allowed = allowed,
      .rule = "from 0.001 to 1.5, in thousandths",
      .perUnit = 1000,
      .approximation = openingError};
}

/// `--leaf` and `--group`: at least 2, so that a body alone is one.
inline Parameter sizeParameter(const char* name, const char* help) {
  std::vector<int> allowed(1023);
  std::iota(allowed.begin(), allowed.end(), 2);
  return {name, help, 64, allowed, "from 2 to 1024"};
}

/// `--block`: by default a thread for each body that a group may have.
inline Parameter groupBlockParameter() {
  Parameter block = blockParameter();
  block.choose = [](int, const Parameters& others) {
    constexpr int kWarp = 32;
    return std::min(1024, (others["group"] - 1 + kWarp - 1) / kWarp * kWarp);
  };
  return block;
}

}  // namespace nbody
