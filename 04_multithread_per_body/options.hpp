/// \file
/// The options of step 04 and of 04_tuned.
#pragma once

#include "04_multithread_per_body/split_options.hpp"

namespace nbody::inline NBODY_PRECISION::multithread {

struct Options : OptionsOf<Options, SplitOptions<false>> {};

/// Returns the threads of the largest block for which a kernel is compiled.
constexpr int largestBlock(int bodies) { return Options::largestBlock(bodies); }

namespace tuned {

struct Options : OptionsOf<Options, SplitOptions<true>> {};

}  // namespace tuned

}  // namespace nbody::inline NBODY_PRECISION::multithread
