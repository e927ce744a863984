/// \file
/// From addresses in the program to lines of its source.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace nbody::executor::checker {

/// "02_tiled/forces.cu:57" for each of \p codes, the addresses after calls, as offsets in the
/// program; with the caller's line too where the line is of an inlined function. The function's
/// name stands in where addr2line is not installed.
std::map<std::uint32_t, std::string> sourceLines(const std::set<std::uint32_t>& codes);

}  // namespace nbody::executor::checker
