/// \file
/// Snapshot files as text: a line for each body, `x,y,z,vx,vy,vz,mass`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bodies/bodies.hpp"
#include "bodies/input_file.hpp"

namespace nbody {

class OutputFile;

/// How many bodies the file has: its lines without the header and empty ones. Stops at a line that
/// is too short for a body, which readCsvBodies() refuses.
std::int64_t countCsvBodies(const InputFile& file);

/// Reads the bodies. The first line may be the header, with or without a # before it; empty lines
/// are skipped, and spaces, tabs and a carriage return around a number are not part of it.
/// \param count  what countCsvBodies() found
Bodies readCsvBodies(const InputFile& file, std::int64_t count);

/// Writes a header and the bodies, each number with the fewest digits that give it back bit for
/// bit.
void writeCsv(OutputFile& file, const Bodies& bodies);

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
