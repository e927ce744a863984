/// \file
/// Snapshot files as text: a line for each body, `x,y,z,vx,vy,vz,mass`, or the columns that a header names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bodies/bodies.hpp"
#include "bodies/input_file.hpp"

namespace nbody {

class OutputFile;

/// Maps each column of a file to the number of a body that it holds.
struct CsvColumns {
  std::vector<int> numbers = {0, 1, 2, 3, 4, 5, 6};  ///< of FileBody; kIgnored: of none
  std::string ignored;  ///< names of the columns that are not read, with commas
  static constexpr int kIgnored = -1;
};

/// Facts about a file that are known before its bodies are read.
struct CsvFacts {
  std::int64_t count = 0;  ///< of bodies: lines without the header and empty ones
  CsvColumns columns;
};

/// Stops counting at a line that is too short for a body, which readCsvBodies() refuses.
CsvFacts readCsvFacts(const InputFile& file);

/// Reads the bodies. The first line may be a header, with or without a # before it. It names the columns in
/// any order; columns with other names are ignored. Empty lines are skipped, and spaces, tabs and a
/// carriage return around a number are not part of it.
Bodies readCsvBodies(const InputFile& file, const CsvFacts& facts);

/// Writes a header and the bodies, each number with the fewest digits that give it back bit for
/// bit.
void writeCsv(OutputFile& file, const Bodies& bodies);

inline constexpr std::string_view kCsvColumns = "x,y,z,vx,vy,vz,mass";

}  // namespace nbody
