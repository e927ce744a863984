/// \file
/// One line of a CSV file.
#pragma once

#include <string>
#include <string_view>

#include "bodies/file_bodies.hpp"

namespace nbody {

inline constexpr std::string_view kCsvColumns = "x,y,z,vx,vy,vz,mass";
inline constexpr std::size_t kShortestCsvLine = 13;  // 0,0,0,0,0,0,1

/// Without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Whether the line, the first of its file, names columns: none of its fields is a number.
bool isCsvHeader(std::string_view line);

/// What is wrong with a header; empty where it names the columns in their order.
std::string csvHeaderFault(std::string_view line);

/// Reads the seven numbers of \p line. False where they are not seven or not numbers.
bool parseCsvLine(std::string_view line, FileBody& body);

/// Why parseCsvLine() gave false.
std::string csvLineFault(std::string_view line);

}  // namespace nbody
