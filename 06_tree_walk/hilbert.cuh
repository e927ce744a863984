/// \file
/// Keys of bodies along Hilbert's curve. The trees of the host and of the device use them.
///
/// Not Morton's curve, which leaps: neighbours on Hilbert's are neighbours in space, so that groups
/// side by side in a warp open nearly the same cells. Both cost the sort the same.
#pragma once

#include <bit>
#include <cstdint>

#include "cuda/real.hpp"

namespace nbody::walk {

/// Levels of an octree that a key can tell apart: three bits each.
constexpr int kKeyLevels = 21;

/// Effect of a level of the curve on an octant (bits x, y, z), for 24 orientations of the curve:
/// the octant's place along it (3 bits), and above that the orientation within.
struct HilbertTurns {
  unsigned char byOctant[24 * 8];
};

constexpr unsigned rotateLeft(unsigned bits, int by) { return (bits << by | bits >> (3 - by)) & 7; }

/// An orientation is the corner where the curve enters and the axis along which it leaves, after
/// Hamilton, "Compact Hilbert Indices" (2006).
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

/// The place along the curve of a cell of a grid with 2^21 cells a side: one digit of 3 bits for each
/// level, the root's first.
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

/// A coordinate's place on that grid; 0 for NaN, which comes of a side of 0.
__host__ __device__ inline unsigned gridPlace(double coordinate,
                                              double lower,
                                              double cellsPerLength) {
  const double place = (coordinate - lower) * cellsPerLength;
  constexpr double kLast = (1 << kKeyLevels) - 1;
  return !(place > 0) ? 0 : static_cast<unsigned>(place < kLast ? place : kLast);
}

/// The digit of \p key that tells the children of a cell at \p level apart; level 0 is the root's.
__host__ __device__ inline int digit(std::uint64_t key, int level) {
  return static_cast<int>(key >> 3 * (kKeyLevels - 1 - level) & 7);
}

}  // namespace nbody::walk
