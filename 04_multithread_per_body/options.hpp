/// \file
/// The options of step 04.
#pragma once

#include "split_options.hpp"

namespace nbody {

struct Options : OptionsOf<Options, SplitOptions> {};

}  // namespace nbody
