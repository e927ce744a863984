/// \file
/// The options of step 04.
#pragma once

#include "04_multithread_per_body/split_options.hpp"

namespace nbody {

struct Options : OptionsOf<Options, SplitOptions> {};

}  // namespace nbody
