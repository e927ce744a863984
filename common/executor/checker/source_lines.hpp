/// \file
/// From addresses in the program to lines of its source.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace nbody::executor::checker {

/// A line of the source, the file as the compiler was given it.
struct Frame {
  std::string file;
  int line = 0;
};

/// The innermost line at \p code that a kernel's author wrote; line 0 where it is not known.
Frame sourceFrame(std::uint32_t code);

/// "02_tiled/forces.cu:57" for each of \p codes, the addresses after calls, as offsets in the
/// program; with the caller's line too where the line is of an inlined function. The function's
/// name stands in where addr2line is not installed.
std::map<std::uint32_t, std::string> sourceLines(const std::set<std::uint32_t>& codes);

}  // namespace nbody::executor::checker
