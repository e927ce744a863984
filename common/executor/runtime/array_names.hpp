/// \file
/// Names of arrays, for messages: as the program calls them.
#pragma once

#include <cstddef>
#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

/// "d_x" of `cudaMalloc((void**)&d_x, bytes)` in the source; "an array of 4096 bytes" where that
/// cannot be read.
std::string nameOfArray(const Caller& caller, std::size_t bytes);

/// "cudaMemcpy" of a line that calls one function of CUDA's; "the call" if there are several or
/// none.
std::string nameOfCall(const Caller& caller);

}  // namespace nbody::executor::runtime
