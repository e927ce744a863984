/// \file
/// The options of a tree that is built on the device and opened by one of two rules: those of 07_tuned,
/// and of step 08's exchange tree.
#pragma once

#include "07_device_tree/build_options.hpp"

namespace nbody {

/// When a group opens a cell of side l and mass m.
enum class Opening {
  distance,  ///< nearer than l / theta and its offset, as in steps 06 and 07
  felt  ///< a small cell may be nearer if it pulls little compared with the last acceleration
};

struct DeviceTreeOptions : BuildOptions {
  Opening opening = Opening::felt;

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
            "  felt: if its pull is large compared with the acceleration of the group in the\n"
            "    previous time step",
            {{"distance", Opening::distance}, {"felt", Opening::felt}}));
    return all;
  }

  /// Step 06's, with cells opened by their distance; the other rule comes last.
  std::vector<Ablation> ablations() const override {
    const std::unique_ptr<StepOptions> copy = clone();
    auto& byDistance = dynamic_cast<DeviceTreeOptions&>(*copy);
    byDistance.opening = Opening::distance;
    std::vector<Ablation> all = byDistance.TreeOptions::ablations();
    if (opening == Opening::felt) all.push_back({"with --opening felt", clone()});
    return all;
  }
};

}  // namespace nbody
