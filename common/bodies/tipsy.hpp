/// \file
/// Snapshot files in tipsy's binary format.
///
/// A header, then gas, dark and star bodies, all numbers but the header's of single precision:
///
///     header  double time; int bodies, dimensions, gas, dark, stars, padding      32 bytes, or 28
///     gas     mass, x, y, z, vx, vy, vz, density, temperature, softening, metals, potential    48
///     dark    mass, x, y, z, vx, vy, vz, softening, potential                                  36
///     star    mass, x, y, z, vx, vy, vz, metals, time of birth, softening, potential           44
///
/// The standard is big-endian; many programs write the little-endian order of their machine. The
/// number of dimensions, 3, tells which: read in the wrong order it is 50331648. The short header
/// is one without padding.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "bodies/bodies.hpp"
#include "bodies/input_file.hpp"

namespace nbody {

class OutputFile;

/// Bytes of a gas, a dark and a star body.
inline constexpr std::int64_t kTipsyBytes[] = {48, 36, 44};

/// A header as it lies in a file, in the file's order of bytes.
struct TipsyWords {
  double time;
  std::int32_t bodies, dimensions, kinds[3], padding;
};

/// A header that fits its file.
struct TipsyHeader {
  static constexpr int kKinds = 3;
  std::endian order;
  double time;
  std::int64_t counts[kKinds];  ///< gas, dark, stars
  std::int64_t bytes;  ///< of the header, 32 or 28
  double
      softening;  ///< of the dark bodies, else of the stars; 0 if they have none or different ones
  bool softeningsDiffer;

  std::int64_t count() const { return counts[0] + counts[1] + counts[2]; }
};

/// Whether the header's number of dimensions is 3 in either order.
bool looksLikeTipsy(const InputFile& file);

/// Whether the header's counts are those of the file's size as well.
bool fitsTipsy(const InputFile& file);

/// Reads the header and holds its counts against the file's size.
TipsyHeader readTipsyHeader(const InputFile& file);

/// Positions, velocities and masses of \p count bodies from \p first on, counted over all kinds in
/// the file's order; the rest of each body is ignored. One that is refused is named by its place in
/// the file; whether there are enough, and some mass, is not asked.
Bodies readTipsyBodies(const InputFile& file, const TipsyHeader& header, std::int64_t first,
                       std::int64_t count);

/// The header of a file of \p count dark bodies.
TipsyWords tipsyHeader(int count, double time, std::endian order);

/// Bodies \p begin to \p end - 1 as dark ones, rounded to single precision, as they lie in a file.
/// Throws std::range_error for a number that is too large for it.
/// \param place      of the first in the file, for that message
/// \param softening  written into each body
std::vector<std::uint32_t> tipsyBodies(const Bodies& bodies, int begin, int end, std::int64_t place,
                                       double softening, std::endian order);

/// Writes all bodies as dark ones, rounded to single precision, with a header of 32 bytes. Throws
/// BadInput, which names the body, if a number is too large for single precision.
/// \param time       of the snapshot, in the scene's unit
/// \param softening  written into each body
void writeTipsy(OutputFile& file, const Bodies& bodies, double time, double softening,
                std::endian order);

}  // namespace nbody
