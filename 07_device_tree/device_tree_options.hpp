/// \file
/// Options of a tree that is built on the device and has two opening rules: for 07_tuned and step 11.
#pragma once

#include "07_device_tree/build_options.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

/// Conditions for a group to open a cell of side l and mass m.
enum class Opening {
  distance,  ///< if it is nearer than l / theta plus its offset, as in steps 06 and 07
  relative  ///< if its pull is large compared with the group's previous acceleration
};

struct DeviceTreeOptions : BuildOptions {
  Opening opening = Opening::relative;

  std::vector<Option> list() override {
    std::vector<Option> all = BuildOptions::list();
    const auto isBlock = [](const Option& option) { return option.name == "block"; };
    all.insert(
        std::find_if(all.begin(), all.end(), isBlock),
        wordOption(
            "opening",
            opening,
            "when a cell is opened into its parts\n"
            "  distance: if it is close for its size\n"
            "  relative: if its pull is large compared with the acceleration of the group in the\n"
            "    previous time step",
            {{"distance", Opening::distance}, {"relative", Opening::relative}}));
    return all;
  }

  /// Returns step 06's settings, which open cells by their distance, and last the other rule.
  std::vector<Ablation> ablations() const override {
    const std::unique_ptr<StepOptions> copy = clone();
    auto& byDistance = dynamic_cast<DeviceTreeOptions&>(*copy);
    byDistance.opening = Opening::distance;
    std::vector<Ablation> all = byDistance.TreeOptions::ablations();
    if (opening == Opening::relative) all.push_back({"with --opening relative", clone()});
    return all;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::tree
