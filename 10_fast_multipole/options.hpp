/// \file
/// The options of step 10. Those of 10_tuned are in a file of its folder.
#pragma once

#include "07_device_tree/build_options.hpp"
#include "10_fast_multipole/tuned/options.hpp"
#include "driver/compiled_values.hpp"

namespace nbody::inline NBODY_PRECISION::fmm {

using tree::BuildOptions;

using Orders = CompiledValues<2, 3, 4, 5>;  ///< orders for which kernels are compiled

struct Options : OptionsOf<Options, BuildOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .phases = true, .grows = true};

  int order = 5;  ///< P, the highest order

  Options() {
    theta = 0.6;
    leaf = 0;  // 0: chosen from the number of bodies
    group = 1024;  // step 07's groups, which have no use here
  }

  std::vector<Option> list() override {
    std::vector<Option> all = {
        rangeOption("order",
                    order,
                    "order P of the expansions, which keep powers up to P, of both cells together",
                    2,
                    5),
        numberOption(
            "theta",
            theta,
            "opening angle theta\n"
            "  two cells act on each other as wholes if the sum of their radii divided by\n"
            "  their distance is below theta; smaller is slower and more accurate",
            0.001,
            1)};
    for (Option& option : BuildOptions::list())
      if (option.name == "leaf" || option.name == "block" || option.name == "tree-memory")
        all.push_back(option);
    return all;
  }

  void resolve(const Workload& workload) override {
    if (leaf == 0) leaf = workload.bodies < 1 << 19 ? 32 : 48;
    // About 700 bytes for each of 2 N / leaf nodes, which is more than most trees have.
    if (treeMemory == 0)
      treeMemory = static_cast<int>(
          std::bit_ceil(1u + static_cast<unsigned>(1400LL * (workload.bodies / leaf) >> 20)));
    BuildOptions::resolve(workload);
  }

  /// Returns the error bound. Measured with theta from 0.2 to 1, P from 2 to 5, 100 to 16,384 bodies
  /// and six scenes. Leaves of 16 and more bodies: a largest error of 1.2 theta^P, of a body whose
  /// pulls nearly cancel, and a median of theta (theta / 3)^P. In smaller leaves nearly all pulls
  /// come from expansions: 9.5 theta^P and 2.2 (theta / 2)^P.
  ErrorBound errorBound() const override {
    if (leaf < 16) return {20 * std::pow(theta, order), 3 * std::pow(theta / 2, order)};
    return {3 * std::pow(theta, order), 3 * theta * std::pow(theta / 3, order)};
  }

  /// Returns the settings. The last one divides the bodies into so many cells that targets lie in
  /// larger targets.
  std::vector<Ablation> ablations() const override {
    const auto with = [this](const char* setting, auto change, int bodies = 1000) {
      auto options = std::make_shared<Options>(*this);
      change(*options);
      return Ablation{setting, options, bodies};
    };
    // Large leaves, because leaves of one body are points that may act as wholes.
    const auto opened = [](Options& o) { o.leaf = 64, o.theta = 0.001; };
    const auto second = [](Options& o) { o.order = 2; };
    // The smaller the angle, the less hides a wrong shift from cell to cell.
    const auto levels = [](Options& o) { o.leaf = 2, o.theta = 0.2, o.order = 5; };
    return {with("if every cell is opened", opened),
            with("with expansions of order 2", second),
            with("with expansions of all orders", [](Options&) {}),
            with("if large cells hand their expansions down to small cells", levels, 300)};
  }
};

}  // namespace nbody::inline NBODY_PRECISION::fmm
