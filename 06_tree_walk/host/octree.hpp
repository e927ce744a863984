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
#include "measure/timing.hpp"

namespace nbody::walk {

inline double3 operator+(const double3& a, const double3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline double3 operator-(const double3& a, const double3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline double3 operator*(double factor, const double3& v) {
  return {factor * v.x, factor * v.y, factor * v.z};
}
inline double squaredLength(const double3& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

inline double3 placeOf(const Double4& body) { return {body.x, body.y, body.z}; }

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

  void add(const Double4& body) { add({placeOf(body), placeOf(body)}); }

  double3 size() const { return upper - lower; }
  double3 middle() const { return lower + 0.5 * size(); }

  /// The largest side.
  double side() const { return std::max({size().x, size().y, size().z}); }
};

/// The cube that the root divides.
struct RootCube {
  double3 lower;
  double side;
};

/// A cell of the tree: the tight box, the least that holds its bodies, and their moments.
struct Cell : Box {
  double3 centre;  ///< centre of mass; of the box where the mass is 0
  double mass;
  /// xx, yy, zz, xy, xz, yz of the sum of m (3 r r - |r|^2 1), r from the centre of mass to the
  /// body: traceless, xx + yy + zz = 0.
  double quadrupole[6];
  /// The sum of m |r|^2: what softening makes of the part that a traceless quadrupole leaves out.
  double secondMoment;
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
  return std::max(cell.side / theta, 0.5 * std::sqrt(squaredLength(cell.size()))) + cell.offset;
}

/// How the space-filling order is cut into groups.
enum class Grouping {
  runs,  ///< even runs within larger cells: a group is nearly full
  cells  ///< the largest cells of few enough bodies, as in the paper: a third full on average
};

/// The tight box of bodies that follow each other in the space-filling order and share one walk of
/// the tree.
struct BodyGroup : Box {
  int firstBody;
  int bodyCount;
};

struct Octree {
  std::vector<Cell> cells;  ///< the root first, children after their parent, siblings together
  std::vector<int> order;  ///< order[k]: the body at place k of the space-filling order
  std::vector<BodyGroup> groups;  ///< in the space-filling order; together all bodies
  int depth = 0;  ///< levels below the root, at most 21
};

/// Returns what a report says of \p tree.
inline std::vector<Metric> factsOf(const Octree& tree) {
  return {{"cells", static_cast<double>(tree.cells.size())},
          {"depth", static_cast<double>(tree.depth)},
          {"groups", static_cast<double>(tree.groups.size())}};
}

/// Returns the share of \p places that have a body, if so many work on a group at a time.
inline double activeShare(const Octree& tree, int places) {
  double all = 0;
  for (const BodyGroup& group : tree.groups)
    all += static_cast<double>((group.bodyCount + places - 1) / places) * places;
  return static_cast<double>(tree.order.size()) / all;
}

/// Divides cells until they hold fewer than \p leaf bodies. Bodies closer to each other than 2^-21
/// of the root's side may stay together in a leaf of any size.
/// \param positions  x, y, z, mass
/// \param leaf       at least 2
/// \param group      a group holds fewer bodies than this; at least 2
/// \param threads    0: one for each core; the tree does not depend on it
/// \param root       null: the cube on the bodies' tight box
Octree buildOctree(const std::vector<Double4>& positions,
                   int leaf,
                   int group,
                   Grouping grouping = Grouping::cells,
                   int threads = 0,
                   const RootCube* root = nullptr);

/// The tight box of \p count > 0 bodies.
Box tightBox(const Double4* bodies, int count);

/// A part of buildOctree(): sets all of the cells but the ranges, from the leaves up.
/// \param firstOfLevel  of each level the first cell, and at last the number of cells
/// \param bodies        x, y, z, mass in the space-filling order
void setMoments(std::vector<Cell>& cells,
                const std::vector<int>& firstOfLevel,
                const Double4* bodies,
                int threads);

}  // namespace nbody::walk
