/// \file
/// The options of step 07.
#pragma once

#include "device_tree_options.hpp"

namespace nbody {

struct Options : OptionsOf<Options, DeviceTreeOptions> {};

}  // namespace nbody
