/// \file
/// The octree of the bodies, built on all cores of the host.
///
/// Bodies lie in the order of a space-filling curve, so that a cell, a leaf and a group are each a
/// range of that order. A cell with one child alone is left out: its box would be the child's.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// A box along the axes.
struct Box {
  double3 lower;
  double3 upper;

  /// Grows to hold \p other.
  void add(const Box& other) {
    lower = {std::min(lower.x, other.lower.x),
             std::min(lower.y, other.lower.y),
             std::min(lower.z, other.lower.z)};
    upper = {std::max(upper.x, other.upper.x),
             std::max(upper.y, other.upper.y),
             std::max(upper.z, other.upper.z)};
  }

  void add(const Double4& body) { add({{body.x, body.y, body.z}, {body.x, body.y, body.z}}); }

  /// The largest side.
  double side() const {
    return std::max(upper.x - lower.x, std::max(upper.y - lower.y, upper.z - lower.z));
  }
};

/// A cell of the tree.
struct Cell {
  double3 lower;  ///< corners of the tight box: the least that holds its bodies
  double3 upper;
  double3 centre;  ///< centre of mass; of the box where the mass is 0
  double mass;
  /// xx, yy, zz, xy, xz, yz of the sum of m (3 r r - |r|^2 1), r from the centre of mass to the
  /// body: traceless, xx + yy + zz = 0.
  double quadrupole[6];
  double side;  ///< largest side of the tight box: l of the opening criterion
  double offset;  ///< from the centre of the tight box to that of mass: s of the criterion
  int firstBody;  ///< its bodies: a range of the space-filling order
  int bodyCount;
  int firstChild;  ///< its children: a range of the cells
  int childCount;  ///< 0 in a leaf
};

/// How near to its centre of mass a cell is opened: l / theta + s, and never less than to its
/// farthest corner, so that a group's own cells are opened whatever theta is.
inline double openingReach(const Cell& cell, double theta) {
  const double x = cell.upper.x - cell.lower.x;
  const double y = cell.upper.y - cell.lower.y;
  const double z = cell.upper.z - cell.lower.z;
  return std::max(cell.side / theta, 0.5 * std::sqrt(x * x + y * y + z * z)) + cell.offset;
}

/// How the space-filling order is cut into groups.
enum class Grouping {
  runs,  ///< even runs within larger cells: a group is nearly full
  cells  ///< the largest cells of few enough bodies, as in the paper: a third full on average
};

/// Bodies that follow each other in the space-filling order and share one walk of the tree.
struct BodyGroup {
  double3 lower;  ///< corners of its tight box
  double3 upper;
  int firstBody;
  int bodyCount;
};

struct Octree {
  std::vector<Cell> cells;  ///< the root first, children after their parent, siblings together
  std::vector<int> order;  ///< order[k]: the body at place k of the space-filling order
  std::vector<BodyGroup> groups;  ///< in the space-filling order; together all bodies
  int depth = 0;  ///< levels below the root, at most 21
};

/// Divides cells until they hold fewer than \p leaf bodies. Bodies closer to each other than 2^-21
/// of the root's side may stay together in a leaf of any size.
/// \param positions  x, y, z, mass
/// \param leaf       at least 2
/// \param group      a group holds fewer bodies than this; at least 2
/// \param threads    0: one for each core; the tree does not depend on it
Octree buildOctree(const std::vector<Double4>& positions,
                   int leaf,
                   int group,
                   Grouping grouping = Grouping::cells,
                   int threads = 0);

}  // namespace nbody
