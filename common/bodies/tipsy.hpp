/// \file
/// Snapshot files in tipsy's binary format.
///
/// A file has a header, and then gas, dark and star bodies. All numbers after the header are in single precision:
///
///     header  double time; int bodies, dimensions, gas, dark, stars, padding      32 bytes, or 28
///     gas     mass, x, y, z, vx, vy, vz, density, temperature, softening, metals, potential    48
///     dark    mass, x, y, z, vx, vy, vz, softening, potential                                  36
///     star    mass, x, y, z, vx, vy, vz, metals, time of birth, softening, potential           44
///
/// The standard is big-endian, but many programs write the little-endian order of their machine. The number of
/// dimensions shows which: it is 3, and 50331648 if it is read in the wrong order. The short header has no
/// padding.
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

/// A header as it is stored in a file, in the file's byte order.
struct TipsyWords {
  double time;
  std::int32_t bodies, dimensions, kinds[3], padding;
};

/// A header whose counts fit the size of its file.
struct TipsyHeader {
  static constexpr int kKinds = 3;
  std::endian order;
  double time;
  std::int64_t counts[kKinds];  ///< gas, dark, stars
  std::int64_t bytes;  ///< size of the header, 32 or 28
  double softening;  ///< of the dark bodies or the stars; 0 if they have none, or if it differs from body to body
  bool softeningsDiffer;

  std::int64_t count() const { return counts[0] + counts[1] + counts[2]; }
};

/// Returns whether the header's number of dimensions is 3 in either byte order.
bool looksLikeTipsy(const InputFile& file);

/// Returns whether the header's counts also fit the file's size.
bool fitsTipsy(const InputFile& file);

/// Reads the header. Throws BadInput unless its counts fit the file's size.
TipsyHeader readTipsyHeader(const InputFile& file);

/// Reads positions, velocities and masses of \p count bodies, beginning with number \p first. Bodies are counted
/// over all kinds, in the order of the file. Throws BadInput with the number of a body whose values are not
/// allowed. Does not check the number of bodies or their total mass.
Bodies readTipsyBodies(const InputFile& file, const TipsyHeader& header, std::int64_t first,
                       std::int64_t count);

/// Returns the header for a file with \p count dark bodies.
TipsyWords tipsyHeader(int count, double time, std::endian order);

/// Returns bodies \p begin to \p end - 1 as dark bodies in the format of a file, rounded to single precision.
/// Throws std::range_error, with the number of the body, if a value is too large for single precision.
/// \param place      number of body \p begin in the file
/// \param softening  written into each body
std::vector<std::uint32_t> tipsyBodies(const Bodies& bodies, int begin, int end, std::int64_t place,
                                       double softening, std::endian order);

/// Writes all bodies as dark bodies, rounded to single precision, with a header of 32 bytes. Throws
/// BadInput, with the number of the body, if a value is too large for single precision.
/// \param time       time of the snapshot, in the scene's unit of time
/// \param softening  written into each body
void writeTipsy(OutputFile& file, const Bodies& bodies, double time, double softening,
                std::endian order);

}  // namespace nbody
