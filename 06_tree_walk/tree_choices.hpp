/// \file
/// What step 06 lets its user choose.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driver/choices.hpp"

namespace nbody {

/// What the opening angle leaves out.
///
/// A cell acts from a distance of l / theta and more, its bodies are within about l / 2 of its
/// centre of mass: with x = theta / 2 the first multipole left out has up to 3 x^2 of its pull
/// after the monopole and 4 x^3 after the quadrupole. Bodies lie on all sides of a cell's centre,
/// and cells around a body, so most of that cancels; of quadrupoles the octupoles cancel so far
/// that what is left grows as theta^4. Measured at theta from 0.2 to 1.5, in four scenes of 1,000
/// and 8,000 bodies and leaves of 2 to 64: monopoles at most 0.054 theta^2, in the median 0.003 and
/// of a shell, whose cells are all alike, 0.014; quadrupoles at most 0.076 theta^4, in the median
/// 0.002, in leaves of 8 0.004, of 2 0.006. Allowed is some three times that: in the median a
/// quadrupole of the wrong sign has more, and so have bodies whose own cell was missed.
inline ErrorBound openingError(const Parameters& all) {
  const double theta = all.named("theta").number();
  if (all["multipole"] == 2) return {0.2 * std::pow(theta, 2), 0.04 * std::pow(theta, 2)};
  // Smaller leaves: more cells act in the place of bodies.
  const double cells = std::max(1.0, std::sqrt(16.0 / all["leaf"]));
  return {0.25 * std::pow(theta, 4), 0.005 * cells * std::pow(theta, 4)};
}

/// From a direct sum by way of one leaf to the whole method.
inline std::vector<Ablation> treeAblations() {
  return {{"with all bodies in one leaf",
           {{"theta", 1}, {"multipole", 2}, {"leaf", 1024}, {"group", 1024}}},
          {"with every cell opened down to leaves of a body",
           {{"theta", 1}, {"multipole", 2}, {"leaf", 2}, {"group", 2}}},
          {"with every cell opened", {{"theta", 1}, {"multipole", 2}}},
          {"with cells that act by their masses alone", {{"multipole", 2}}},
          {"with quadrupoles", {{"multipole", 1}}}};
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
      .approximation = openingError,
      .ablations = treeAblations()};
}

/// `--leaf` and `--group`: at least 2, so that a body alone is one.
inline Parameter sizeParameter(const char* name, const char* help) {
  std::vector<int> allowed(1023);
  std::iota(allowed.begin(), allowed.end(), 2);
  return {name, help, 64, allowed, "from 2 to 1024"};
}

enum class Walk { fused = 1, lists };

inline Parameter walkParameter() {
  return wordParameter("walk", "whether interaction lists are stored", {"fused", "lists"});
}

/// `--grouping`: by default as the walk is best with. A warp has two bodies in each lane, and cells
/// of fewer than 64 bodies would fill a third of them.
inline Parameter groupingParameter() {
  Parameter grouping = wordParameter(
      "grouping", "groups: even runs of the order of bodies, or cells", {"runs", "cells"});
  grouping.value = 0;
  grouping.choose = [](int, const Parameters& others) { return others["walk"]; };
  return grouping;
}

/// `--block`, of the lists' evaluation: by default a thread for each body that a group may have.
inline Parameter groupBlockParameter() {
  Parameter block = blockParameter();
  block.help = "threads per block that evaluate the lists of --walk lists";
  block.choose = [](int, const Parameters& others) {
    constexpr int kWarp = 32;
    return std::min(1024, (others["group"] - 1 + kWarp - 1) / kWarp * kWarp);
  };
  return block;
}

}  // namespace nbody
