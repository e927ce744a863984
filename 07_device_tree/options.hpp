/// \file
/// Options of step 07 and of 07_tuned.
#pragma once

#include "07_device_tree/device_tree_options.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

/// Step 07 opens cells by their distance.
struct Options : OptionsOf<Options, BuildOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .phases = true, .grows = true};
};

namespace tuned {

/// 07_tuned has a choice.
struct Options : OptionsOf<Options, DeviceTreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true,
                                        .phases = true,
                                        .grows = true,
                                        .remembers = true};
};

}  // namespace tuned

}  // namespace nbody::inline NBODY_PRECISION::tree
