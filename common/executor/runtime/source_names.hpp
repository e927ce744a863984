/// \file
/// Names for messages: lines of host code by address, arrays and calls as in the program's source.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

inline constexpr const char* kUnknownLine = "an unknown line";

/// Returns addresses of the code that is running: of the caller, its caller, and so on.
std::vector<const void*> runningCode();

/// Returns "main.cu:12" for the first of \p addresses, innermost first, in the program's own code,
/// from addr2line; kUnknownLine if there is none.
/// \param isInstruction  the first address is that of an instruction; all others follow calls
std::string hostPlace(const std::vector<const void*>& addresses, bool isInstruction = false);

/// Returns all lines of the program among the addresses, as hostPlace() does the first, each once.
std::vector<std::string> hostPlaces(const std::vector<const void*>& addresses, bool isInstruction);

/// Returns the program's line from which the executor has been called. The text stays.
const char* lineOfCaller();

/// Returns the hostPlace() that a codeName() stands for; empty if \p name is the name of a file.
std::string placeOfCode(const char* name);

/// Returns "d_x" for `cudaMalloc((void**)&d_x, bytes)` in the source; "an array of 4096 bytes" if
/// that cannot be read.
std::string nameOfArray(const Caller& caller, std::size_t bytes);

}  // namespace nbody::executor::runtime
