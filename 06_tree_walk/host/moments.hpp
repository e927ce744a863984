/// \file
/// Tight boxes and multipole moments of the cells of an octree.
#pragma once

#include <vector>

#include "host/octree.hpp"

namespace nbody {

/// Sets all of the cells but the ranges, from the leaves up.
/// \param firstOfLevel  of each level the first cell, and at last the number of cells
/// \param bodies        x, y, z, mass in the space-filling order
void setMoments(std::vector<Cell>& cells,
                const std::vector<int>& firstOfLevel,
                const Double4* bodies,
                int threads);

/// Of each cell, the sum of m |r|^2 about its centre of mass: what softening makes of the part that
/// a traceless quadrupole leaves out.
std::vector<double> secondMoments(const Octree& tree, const std::vector<Double4>& positions);

/// The tight box of \p count > 0 bodies.
Box tightBox(const Double4* bodies, int count);

}  // namespace nbody
