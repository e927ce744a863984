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

/// The columns of a file: which number of a body each one holds.
struct CsvColumns {
  std::vector<int> numbers = {0, 1, 2, 3, 4, 5, 6};  ///< index in FileBody, by column; or kIgnored
  std::string ignored;  ///< names of the columns that are not read, with commas
  static constexpr int kIgnored = -1;
};

/// Facts about a file that are known before its bodies are read.
struct CsvFacts {
  std::int64_t count = 0;  ///< bodies: lines, without the header and empty lines
  CsvColumns columns;
};

/// Reads the header and counts the bodies. It stops at a line that is too short for a body, which readCsvBodies()
/// refuses. Throws BadInput.
CsvFacts readCsvFacts(const InputFile& file);

/// Reads the bodies. The first line may be a header, with or without a # before it, which names the columns in any
/// order. Columns with other names are ignored, and so are empty lines, spaces, tabs and carriage returns around
/// a number. Throws BadInput with the line of the mistake.
Bodies readCsvBodies(const InputFile& file, const CsvFacts& facts);

/// Writes a header and the bodies, each number with the fewest digits that give the same bits again.
void writeCsv(OutputFile& file, const Bodies& bodies);

inline constexpr std::string_view kCsvColumns = "x,y,z,vx,vy,vz,mass";

}  // namespace nbody
