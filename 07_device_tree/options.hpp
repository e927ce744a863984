/// \file
/// The options of step 07.
#pragma once

#include "device_tree_options.hpp"

namespace nbody {

struct Options : OptionsOf<Options, DeviceTreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .phases = true, .grows = true};
};

}  // namespace nbody
