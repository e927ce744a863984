/// \file
/// Names for messages: lines of host code by addresses in it, arrays and calls as the program has them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

inline constexpr const char* kUnknownLine = "an unknown line";

/// "main.cu:12" of the first of \p addresses, innermost first, that lies in the program's own code;
/// kUnknownLine where none does. By addr2line. \p first: the first address is that of an
/// instruction; the others, and it otherwise, are those behind calls.
std::string hostPlace(const std::vector<const void*>& addresses, bool isInstruction = false);

/// Stands for the place of \p addresses where the name of a file is asked for: few of these places are
/// ever shown, and addr2line takes its time. Lives as long as the program.
const char* codeName(const std::vector<const void*>& addresses);
/// The hostPlace() that \p name stands for; empty where it is the name of a file.
std::string placeOfCode(const char* name);

/// "d_x" of `cudaMalloc((void**)&d_x, bytes)` in the source; "an array of 4096 bytes" where that
/// cannot be read.
std::string nameOfArray(const Caller& caller, std::size_t bytes);

/// "cudaMemcpy" of a line that calls one function of CUDA's; "the call" if there are several or
/// none.
std::string nameOfCall(const Caller& caller);

}  // namespace nbody::executor::runtime
