/// \file
/// Order of bodies along a space-filling curve.
#pragma once

#include <memory>
#include <vector>

#include "06_tree_walk/hilbert.cuh"
#include "06_tree_walk/host/octree.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

struct KeyedBody {
  std::uint64_t key;  ///< one digit of 3 bits per level, the root's first
  int body;
};

/// Returns the place along Hilbert's curve of a cell of a grid with 2^21 cells a side.
std::uint64_t hilbertKey(unsigned x, unsigned y, unsigned z);

/// Returns the bodies in the order of Hilbert's curve through \p root; length: that of positions.
/// Bodies with the same key keep their order.
/// \param root  null: the cube on their tight box
std::unique_ptr<KeyedBody[]> spaceFillingOrder(const std::vector<Double4>& positions,
                                               int threads,
                                               const RootCube* root);

}  // namespace nbody::inline NBODY_PRECISION::walk
