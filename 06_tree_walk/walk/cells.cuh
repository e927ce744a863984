/// \file
/// Functions of a cell in a walk: whether a group opens it, and its pull.
#pragma once

#include <stdexcept>
#include <string>

#include "06_tree_walk/host/tree_layout.hpp"
#include "06_tree_walk/interaction.cuh"
#include "06_tree_walk/opening.cuh"
#include "06_tree_walk/quadrupole.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

/// Returns whether the cell is too near to the group to act as a whole.
/// \param cell  its index
__device__ inline bool opens(const TreeView& tree, const GroupBox& group, int cell) {
  const real4 centre = tree.centres[cell];  // by value, so that it is one load
  return opens(group, centre);
}

/// The rule by which a group opens a cell: its distance. A step with another rule gives the fused
/// walk another class with these functions.
struct OpensByDistance {
  /// Returns what the rule needs of group \p g: nothing.
  __device__ int ofGroup(int) const { return 0; }
  __device__ bool opens(const TreeView& tree, const GroupBox& group, int, int cell) const {
    return walk::opens(tree, group, cell);
  }
  /// Keeps the acceleration of \p body for the next evaluation: not needed.
  __device__ void keep(int, real3) const {}
};

/// Adds the pull of a cell to second order in its size: 53 FLOP.
__device__ inline real3 quadrupoleInteraction(real4 body,
                                              const Multipole& cell,
                                              real3 acceleration,
                                              real softeningSquared) {
  const real3 r = {cell.centre.x - body.x, cell.centre.y - body.y, cell.centre.z - body.z};  // [3]
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;  // [6]
  const real inverse = rsqrt(distanceSquared);  // [2]: root and division
  const real3 pull = quadrupolePull(r, inverse, cell);  // [39]
  return {acceleration.x + pull.x, acceleration.y + pull.y, acceleration.z + pull.z};  // [3]
}

/// Loads the multipoles of the cell with index \p cell; without kQuadrupole only its mass.
template <bool kQuadrupole>
__device__ inline void loadMultipole(const TreeView& tree,
                                     int cell,
                                     real softeningSquared,
                                     Multipole& to) {
  const real4 c = tree.centres[cell];
  const real4* moments = tree.moments + momentsOf(cell);
  const real4 diagonal = moments[0];
  const real4 centre = {c.x, c.y, c.z, diagonal.w};
  if (kQuadrupole) to = multipoleOf(centre, diagonal, moments[1], softeningSquared);
  else to.centre = centre;
}

/// Throws if a walk left out a node.
/// \param fullAt    1 + a group whose stack was full; 0: none
/// \param capacity  size of the stack
inline void requireNoFullStack(int fullAt, int capacity) {
  if (fullAt == 0) return;
  throw std::runtime_error("the walk of group " + std::to_string(fullAt - 1) +
                           " needs a stack of more than " + std::to_string(capacity) +
                           " nodes; a larger --leaf makes the tree less deep");
}

}  // namespace nbody::inline NBODY_PRECISION::walk
