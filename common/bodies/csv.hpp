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

/// Which of a body's numbers each column of a file holds.
struct CsvColumns {
  std::vector<int> numbers = {0, 1, 2, 3, 4, 5, 6};  ///< of FileBody; kIgnored: of none
  std::string ignored;  ///< names of the columns that are not read, with commas
  static constexpr int kIgnored = -1;
};

/// What is known of a file before its bodies are read.
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
inline constexpr std::size_t kShortestCsvLine = 13;  // 0,0,0,0,0,0,1

/// Without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Whether the line, the first of its file, names columns: none of its fields is a number.
bool isCsvHeader(std::string_view line);

/// Sets \p columns to those that a header names. Returns what is wrong with it; empty if nothing is.
std::string readCsvHeader(std::string_view line, CsvColumns& columns);

/// Reads the seven numbers of \p line. False if it has too many or too few columns, or one is no number.
bool parseCsvLine(std::string_view line, const CsvColumns& columns, FileBody& body);

/// Why parseCsvLine() gave false.
std::string csvLineFault(std::string_view line, const CsvColumns& columns);

}  // namespace nbody
