/// \file
/// The octree of the bodies, built on all cores of the host.
///
/// Bodies are in the order of a space-filling curve, so that a cell, a leaf and a group are each a
/// range of that order. Cells with a single child are left out: both boxes are the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda/real.hpp"
#include "measure/timing.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

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

  /// Extends the box to contain \p other.
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

  /// Returns the longest side.
  double side() const { return std::max({size().x, size().y, size().z}); }
};

/// The cube that the root cell divides.
struct RootCube {
  double3 lower;
  double side;
};

/// A cell of the tree: its tight box, the smallest that contains its bodies, and their moments.
struct Cell : Box {
  double3 centre;  ///< centre of mass; centre of the box if the mass is 0
  double mass;
  /// xx, yy, zz, xy, xz, yz of the sum of m (3 r r - |r|^2 1), with r from the centre of mass to
  /// the body. It is traceless: xx + yy + zz = 0.
  double quadrupole[6];
  /// Sum of m |r|^2: softening multiplies this part, which a traceless quadrupole leaves out.
  double secondMoment;
  double side;  ///< longest side of the tight box: l of the opening criterion
  double offset;  ///< from the box's centre to the centre of mass: s of the criterion
  int firstBody;  ///< first of its bodies, a range of the space-filling order
  int bodyCount;
  int firstChild;  ///< first of its children, a range of the cells
  int childCount;  ///< 0 in a leaf
};

/// Returns the distance from its centre of mass within which a cell is opened: l / theta + s, and
/// at least to its farthest corner, so that a group opens its own cells for every theta.
inline double openingReach(const Cell& cell, double theta) {
  return std::max(cell.side / theta, 0.5 * std::sqrt(squaredLength(cell.size()))) + cell.offset;
}

/// Ways to cut the space-filling order into groups.
enum class Grouping {
  runs,  ///< runs of equal length within larger cells: groups are nearly full
  cells  ///< the largest cells that are small enough, as in the paper: a third full on average
};

/// A group: the tight box of bodies that follow each other in the space-filling order and share one
/// walk of the tree.
struct BodyGroup : Box {
  int firstBody;
  int bodyCount;
};

struct Octree {
  std::vector<Cell> cells;  ///< the root first, children after their parent, siblings together
  std::vector<int> order;  ///< order[k]: the body at place k of the space-filling order
  std::vector<BodyGroup> groups;  ///< in the space-filling order; together they have all bodies
  int depth = 0;  ///< levels below the root, at most 21
};

/// Returns the metrics of \p tree that a report shows.
inline std::vector<Metric> metricsOf(const Octree& tree) {
  return {{"cells", static_cast<double>(tree.cells.size())},
          {"depth", static_cast<double>(tree.depth)},
          {"groups", static_cast<double>(tree.groups.size())}};
}

/// Returns the share of \p places threads that have a body, if they work on one group at a time.
inline double activeShare(const Octree& tree, int places) {
  double all = 0;
  for (const BodyGroup& group : tree.groups)
    all += static_cast<double>((group.bodyCount + places - 1) / places) * places;
  return static_cast<double>(tree.order.size()) / all;
}

/// Builds the tree: divides cells until they have fewer than \p leaf bodies. Bodies closer than
/// 2^-21 of the root's side may stay together in a leaf of any size.
/// \param positions  x, y, z, mass
/// \param leaf       at least 2
/// \param group      a group holds fewer bodies than this; at least 2
/// \param threads    0: one per core; the tree does not depend on it
/// \param root       null: the cube on the bodies' tight box
Octree buildOctree(const std::vector<Double4>& positions,
                   int leaf,
                   int group,
                   Grouping grouping = Grouping::cells,
                   int threads = 0,
                   const RootCube* root = nullptr);

/// Returns the tight box of \p count > 0 bodies.
Box tightBox(const Double4* bodies, int count);

/// Part of buildOctree(): sets everything in the cells except the ranges, from the leaves up.
/// \param firstOfLevel  first cell of each level, and last the number of cells
/// \param bodies        x, y, z, mass in the space-filling order
void setMoments(std::vector<Cell>& cells,
                const std::vector<int>& firstOfLevel,
                const Double4* bodies,
                int threads);

}  // namespace nbody::inline NBODY_PRECISION::walk
