/// \file
/// Options of a tree code.
#pragma once

#include <algorithm>
#include <cmath>

#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

enum class Multipoles { quadrupole, monopole };

/// Options of a tree code.
struct TreeOptions : StepOptions {
  double theta = 0.5;  ///< opening angle
  Multipoles multipole = Multipoles::quadrupole;
  int leaf = 64;  ///< a cell with fewer bodies is not divided
  int group = 64;  ///< a group has fewer bodies than this

  bool quadrupoles() const { return multipole == Multipoles::quadrupole; }

  std::vector<Option> list() override {
    constexpr int kMax = 1024;
    return {
        numberOption(
            "theta",
            theta,
            "opening angle theta\n"
            "  a cell is used as a whole if its size divided by its distance is below about\n"
            "  theta; smaller is slower and more accurate",
            0.001,
            1.5),
        wordOption("multipole",
                   multipole,
                   "how a far cell is approximated\n"
                   "  quadrupole: by its total mass and the shape of its mass distribution\n"
                   "  monopole: by its total mass only",
                   {{"quadrupole", Multipoles::quadrupole}, {"monopole", Multipoles::monopole}}),
        // At least 2, so that a single body is a leaf, or a group.
        rangeOption(
            "leaf", leaf, "a cell with fewer bodies than this is not divided further", 2, kMax),
        rangeOption("group",
                    group,
                    "a group has fewer bodies than this\n"
                    "  the bodies of a group walk the tree together",
                    2,
                    kMax)};
  }

  /// Returns a bound of the error that the opening angle causes.
  ///
  /// A cell acts from a distance of at least l / theta, and its bodies are within about l / 2 of
  /// its centre of mass. With x = theta / 2, the first multipole left out is up to 3 x^2 of the
  /// pull after the monopole, and 4 x^3 after the quadrupole. Bodies lie on all sides of a cell's
  /// centre, and cells around a body, so most of that cancels. After quadrupoles, octupoles cancel
  /// so far that the rest stays below a multiple of theta^4 up to some thousand bodies. From 10,000
  /// to a million bodies, the median grows like theta^3.5 to theta^3.1
  /// (docs/results/h200/tree.log).
  ///
  /// Measured for theta from 0.2 to 1.5, scenes of 1,000 and 8,000 bodies and leaves of 2 to 64.
  /// Monopoles: at most 0.054 theta^2, median 0.003, but 0.014 for a shell, whose cells are alike.
  /// Quadrupoles: at most 0.076 theta^4, median 0.002, but 0.004 in leaves of 8 and 0.006 of 2. The
  /// bound is about three times that. A quadrupole of the wrong sign has a larger median, and so
  /// have bodies that miss their own cell.
  ErrorBound errorBound() const override {
    if (!quadrupoles()) return {0.2 * std::pow(theta, 2), 0.04 * std::pow(theta, 2)};
    // With smaller leaves more cells act instead of bodies.
    const double cells = std::max(1.0, std::sqrt(16.0 / leaf));
    return {0.25 * std::pow(theta, 4), 0.005 * cells * std::pow(theta, 4)};
  }

  /// Settings from a direct sum in one leaf to the whole method. They diagnose wrong forces.
  std::vector<Ablation> ablations() const override {
    const auto with = [this](const char* setting, auto change) {
      std::shared_ptr<StepOptions> options = clone();
      change(dynamic_cast<TreeOptions&>(*options));
      return Ablation{setting, options};
    };
    const auto direct = [](int size) {
      return [size](TreeOptions& options) {
        options.theta = 0.001;
        options.multipole = Multipoles::monopole;
        if (size > 0) options.leaf = options.group = size;
      };
    };
    Ablation leaves = with("if every cell is opened and every leaf has one body", direct(2));
    leaves.bodies = 300;  // each of the many groups walks the whole tree
    return {with("with all bodies in one leaf", direct(1024)),
            leaves,
            with(leaf > 2 ? "if every cell is opened and leaves have several bodies"
                          : "if every cell is opened",
                 direct(0)),
            with("if far cells are used as monopoles (total mass only)",
                 [](TreeOptions& options) { options.multipole = Multipoles::monopole; }),
            with("if far cells are used as quadrupoles (monopoles can hide a wrong centre of mass)",
                 [](TreeOptions& options) { options.multipole = Multipoles::quadrupole; })};
  }
};

}  // namespace nbody::inline NBODY_PRECISION::walk
