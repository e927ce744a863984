/// \file
/// Places of bodies along a space-filling curve.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/octree.hpp"

namespace nbody {

/// Levels of an octree that a key can tell apart: three bits each.
constexpr int kKeyLevels = 21;

struct KeyedBody {
  std::uint64_t key;  ///< one digit of 3 bits for each level, the root's first
  int body;
};

/// The digit of \p key that tells the children of a cell at \p level apart; level 0 is the root's.
inline int digit(std::uint64_t key, int level) {
  return static_cast<int>(key >> 3 * (kKeyLevels - 1 - level) & 7);
}

/// The place along Hilbert's curve of a cell of a grid with 2^21 cells a side.
std::uint64_t hilbertKey(unsigned x, unsigned y, unsigned z);

/// The bodies in the order of Hilbert's curve through the cube on their tight box, as many as \p
/// positions has. Bodies with the same key keep their order.
std::unique_ptr<KeyedBody[]> spaceFillingOrder(const std::vector<Double4>& positions, int threads);

}  // namespace nbody
