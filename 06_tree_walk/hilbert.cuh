/// \file
/// Keys of bodies along Hilbert's curve. The trees of the host and of the device use them.
///
/// Morton's curve leaps. Neighbours on Hilbert's curve are neighbours in space, so groups next to
/// each other open nearly the same cells. The sort takes the same time with both.
#pragma once

#include <bit>
#include <cstdint>

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Levels of an octree that a key distinguishes, with three bits each.
constexpr int kKeyLevels = 21;

/// Table of the curve: for an octant (bits x, y, z) and one of 24 orientations, the octant's place
/// along the curve (3 bits), and above it the orientation within the octant.
struct HilbertTurns {
  unsigned char byOctant[24 * 8];
};

constexpr unsigned rotateLeft(unsigned bits, int by) { return (bits << by | bits >> (3 - by)) & 7; }

/// Returns the table. An orientation is the corner where the curve enters and the axis along which
/// it leaves. Source: Hamilton, "Compact Hilbert Indices" (2006).
constexpr HilbertTurns hilbertTurns() {
  HilbertTurns turns{};
  for (unsigned state = 0; state < 24; ++state) {
    const unsigned entry = state / 3;
    const int axis = state % 3;
    const int turn = (axis + 1) % 3;
    for (unsigned place = 0; place < 8; ++place) {
      const unsigned gray = place ^ place >> 1;
      const unsigned octant = rotateLeft(gray, turn) ^ entry;
      const unsigned before = place == 0 ? 0 : (place - 1) & ~1u;
      const unsigned childEntry = before ^ before >> 1;
      const unsigned ones = place == 0 ? 0 : std::countr_one(place % 2 ? place : place - 1);
      const unsigned nextEntry = entry ^ rotateLeft(childEntry, turn);
      const unsigned next = nextEntry * 3 + (axis + ones + 1) % 3;
      turns.byOctant[state * 8 + octant] = static_cast<unsigned char>(place | next << 3);
    }
  }
  return turns;
}

/// Returns the place along the curve of a cell of a grid with 2^21 cells a side: one digit of 3
/// bits per level, the root's first.
__host__ __device__ inline std::uint64_t hilbertKey(const HilbertTurns& turns,
                                                    unsigned x,
                                                    unsigned y,
                                                    unsigned z) {
  std::uint64_t key = 0;
  unsigned state = 0;
  for (int bit = kKeyLevels - 1; bit >= 0; --bit) {
    const unsigned octant = (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
    const unsigned turn = turns.byOctant[state * 8 + octant];
    key = key << 3 | (turn & 7);
    state = turn >> 3;
  }
  return key;
}

/// Returns a coordinate's place on that grid; 0 for NaN, which a cube of side 0 gives.
__host__ __device__ inline unsigned gridPlace(double coordinate,
                                              double lower,
                                              double cellsPerLength) {
  const double place = (coordinate - lower) * cellsPerLength;
  constexpr double kLast = (1 << kKeyLevels) - 1;
  return !(place > 0) ? 0 : static_cast<unsigned>(place < kLast ? place : kLast);
}

/// Returns the digit of \p key that distinguishes the children of a cell at \p level; 0: the root.
__host__ __device__ inline int digit(std::uint64_t key, int level) {
  return static_cast<int>(key >> 3 * (kKeyLevels - 1 - level) & 7);
}

}  // namespace nbody::inline NBODY_PRECISION::walk
