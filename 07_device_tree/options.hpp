/// \file
/// Options of step 07 and of 07_tuned.
#pragma once

#include <type_traits>

#include "07_device_tree/device_tree_options.hpp"

namespace nbody {

/// Options of the program: step 07 opens cells by their distance, 07_tuned has a choice.
using TreeStepOptions = std::conditional_t<NBODY_TUNED, DeviceTreeOptions, BuildOptions>;

struct Options : OptionsOf<Options, TreeStepOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true,
                                        .phases = true,
                                        .grows = true,
                                        .remembers = NBODY_TUNED};
};

}  // namespace nbody
