/// \file
/// Names that findings give to memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "executor/checker/arrays.hpp"

namespace nbody::executor::checker {

/// "tile[17]", of the element at \p offset; \p code is the access.
std::string nameOf(Array& array, std::ptrdiff_t offset, std::uint32_t code);

/// "main.cu:12", of the line that allocates it; empty if that is not known.
std::string whereAllocated(const Array& array);

/// " of 256 elements"
std::string sizeText(const Array& array);

/// "an address that no array has (4096 bytes past the end of values)", or what else is known of it
std::string strayText(const char* address);

/// "shared memory"
const char* memoryName(Space space);

}  // namespace nbody::executor::checker
