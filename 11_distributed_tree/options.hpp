/// \file
/// The options of step 11: those of 07_tuned, and those of every program on several ranks.
#pragma once

#include "07_device_tree/device_tree_options.hpp"
#include "ranks/rank_options.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

using tree::DeviceTreeOptions;
using tree::Opening;

struct Options : OptionsOf<Options, DeviceTreeOptions>, RankOptions {
  std::vector<Option> list() override {
    std::vector<Option> all = DeviceTreeOptions::list();
    for (Option& option : rankOptions()) all.push_back(std::move(option));
    return all;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
