/// \file
/// The options of step 06 and of its host baseline.
#pragma once

#include "06_tree_walk/tree_options.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

struct HostTreeOptions : OptionsOf<HostTreeOptions, TreeOptions> {};

struct Options : OptionsOf<Options, TreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .hostWork = true, .phases = true};
};

}  // namespace nbody::inline NBODY_PRECISION::walk
