/// \file
/// The options of 10_tuned.
#pragma once

#include "07_device_tree/build_options.hpp"
#include "driver/compiled_values.hpp"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using tree::BuildOptions;

using Orders = CompiledValues<2, 3, 4, 5, 6>;  ///< orders for which kernels are compiled

struct Options : OptionsOf<Options, BuildOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true,
                                        .phases = true,
                                        .grows = true,
                                        .remembers = true};

  int order = 5;  ///< P, the highest order
  double tolerance = 1.5e-4;
  int bundle = 0;  ///< most bodies of a target; 0: chosen

  Options() {
    theta = 0.8;
    leaf = 0;  // 0: chosen from the number of bodies
    group = 1024;  // step 07's groups, which have no use here
  }

  std::vector<Option> list() override {
    std::vector<Option> all = {
        rangeOption("order",
                    order,
                    "order P of the expansions, which keep powers up to P, of both cells together",
                    2,
                    6),
        numberOption(
            "tolerance",
            tolerance,
            "largest error of one cell's pull on another\n"
            "  relative to the acceleration of the bodies in the previous time step; smaller is\n"
            "  slower and more accurate",
            1e-8,
            0.1),
        numberOption(
            "theta",
            theta,
            "opening angle theta\n"
            "  two cells act on each other as wholes only if the sum of their radii divided\n"
            "  by their distance is below theta",
            0.001,
            1)};
    all.push_back(rangeOption("bundle",
                              bundle,
                              "largest number of bodies of neighbouring leaves on which cells act "
                              "together",
                              2,
                              48));
    for (Option& option : BuildOptions::list()) {
      if (option.name == "leaf")
        option = rangeOption(
            "leaf", leaf, "a cell with fewer bodies than this is not divided further", 2, 64);
      if (option.name == "leaf" || option.name == "block" || option.name == "tree-memory")
        all.push_back(option);
    }
    return all;
  }

  void resolve(const Workload& workload) override {
    const int bodies = workload.bodies;
    const bool isSmall = bodies < 1 << 19 || tolerance < 1e-4 || order < 5;
    if (leaf == 0) leaf = bodies < 1 << 15 ? 16 : isSmall ? 32 : 48;
    if (bundle == 0) bundle = bodies < 1 << 15 ? 24 : 48;
    // About 700 bytes for each of 2 N / leaf nodes, which is more than most trees have.
    if (treeMemory == 0)
      treeMemory = static_cast<int>(
          std::bit_ceil(1u + static_cast<unsigned>(1400LL * (bodies / leaf) >> 20)));
    BuildOptions::resolve(workload);
  }

  /// Returns the error bound, in units of the sum of a body's pulls. Measured over all scenes, and
  /// with masses that differ by up to ten orders of magnitude, relative to the acceleration: a median
  /// of about the tolerance, a 99th percentile of 3 to 5 times, and a largest error of up to 200
  /// times, of a body whose pulls nearly cancel; with 20 to 350 bodies, of up to 1,000 times.
  ErrorBound errorBound() const override { return {400 * tolerance, 5 * tolerance}; }

  /// Returns the settings. The last one divides the bodies into so many cells that targets lie in
  /// larger targets.
  std::vector<Ablation> ablations() const override {
    const auto with = [this](const char* setting, auto change, int bodies = 1000) {
      auto options = std::make_shared<Options>(*this);
      change(*options);
      return Ablation{setting, options, bodies};
    };
    // Large leaves, because leaves of one body are points that may act as wholes.
    const auto opened = [](Options& o) { o.leaf = 64, o.theta = 0.001, o.tolerance = 1e-6; };
    const auto second = [](Options& o) { o.order = 2, o.tolerance *= 10; };
    const auto levels = [](Options& o) { o.leaf = o.bundle = 2, o.order = 3, o.tolerance = 1e-3; };
    return {with("if every cell is opened", opened),
            with("with expansions of order 2", second),
            with("with expansions of all orders", [](Options&) {}),
            with("if large cells hand their expansions down to small cells", levels, 2100)};
  }
};

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
