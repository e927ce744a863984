/// \file
/// Snapshot files as text: a line for each body, `x,y,z,vx,vy,vz,mass`.
#pragma once

#include <cstdint>

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

}  // namespace nbody
