/// \file
/// Which launches and blocks are checked, and for what.
#pragma once

#include <cstdint>

#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// What is looked for in block \p block of the current launch.
Watch watchOfBlock(std::uint64_t block);

}  // namespace nbody::executor::checker
