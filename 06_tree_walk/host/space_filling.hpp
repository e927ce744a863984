/// \file
/// Places of bodies along a space-filling curve.
#pragma once

#include <memory>
#include <vector>

#include "hilbert.cuh"
#include "host/octree.hpp"

namespace nbody {

struct KeyedBody {
  std::uint64_t key;  ///< one digit of 3 bits for each level, the root's first
  int body;
};

/// The place along Hilbert's curve of a cell of a grid with 2^21 cells a side.
std::uint64_t hilbertKey(unsigned x, unsigned y, unsigned z);

/// The bodies in the order of Hilbert's curve through the cube on their tight box, as many as \p
/// positions has. Bodies with the same key keep their order.
std::unique_ptr<KeyedBody[]> spaceFillingOrder(const std::vector<Double4>& positions, int threads);

}  // namespace nbody
