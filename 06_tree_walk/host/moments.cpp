#include <cmath>
#include <type_traits>

#include "06_tree_walk/host/octree.hpp"
#include "base/parallel.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

Box boxOf(const Double4& body) { return {placeOf(body), placeOf(body)}; }
const Box& boxOf(const Cell& cell) { return cell; }
using walk::placeOf;  // position of a body
double3 placeOf(const Cell& cell) { return cell.centre; }
double massOf(const Double4& body) { return body.w; }
double massOf(const Cell& cell) { return cell.mass; }

template <class Part>
Box tightBoxOf(const Part* parts, int count) {
  Box box = boxOf(*parts);
  for (int k = 1; k < count; ++k) box.add(boxOf(parts[k]));
  return box;
}

/// Adds the moments of \p mass at \p place about the cell's centre (parallel-axis theorem).
void addMoments(Cell& cell, const double3& place, double mass) {
  const double3 r = place - cell.centre;
  const double squared = squaredLength(r);
  double* q = cell.quadrupole;
  q[0] += mass * (3 * r.x * r.x - squared);
  q[1] += mass * (3 * r.y * r.y - squared);
  q[2] += mass * (3 * r.z * r.z - squared);
  q[3] += mass * 3 * r.x * r.y;
  q[4] += mass * 3 * r.x * r.z;
  q[5] += mass * 3 * r.y * r.z;
  cell.secondMoment += mass * squared;
}

/// Sets all of a cell except its ranges, from its parts: bodies of a leaf or children of a node.
template <class Part>
void setCell(Cell& cell, const Part* parts, int count) {
  const Part* end = parts + count;
  static_cast<Box&>(cell) = tightBoxOf(parts, count);
  cell.side = cell.Box::side();
  // The middle of the box is near the parts, so that rounding is small.
  const double3 origin = cell.middle();
  double3 sum = {0, 0, 0};
  for (const Part* part = parts; part != end; ++part) {
    cell.mass += massOf(*part);
    sum = sum + massOf(*part) * (placeOf(*part) - origin);
  }
  const double m = cell.mass;
  const double3 shift = m == 0 ? double3{0, 0, 0} : double3{sum.x / m, sum.y / m, sum.z / m};
  cell.centre = origin + shift;
  cell.offset = std::sqrt(squaredLength(shift));
  for (const Part* part = parts; part != end; ++part) {
    addMoments(cell, placeOf(*part), massOf(*part));
    if constexpr (std::is_same_v<Part, Cell>) {
      for (int k = 0; k < 6; ++k) cell.quadrupole[k] += part->quadrupole[k];
      cell.secondMoment += part->secondMoment;
    }
  }
}

}  // namespace

Box tightBox(const Double4* bodies, int count) { return tightBoxOf(bodies, count); }

void setMoments(std::vector<Cell>& cells,
                const std::vector<int>& firstOfLevel,
                const Double4* bodies,
                int threads) {
  for (int level = static_cast<int>(firstOfLevel.size()) - 2; level >= 0; --level) {
    const int first = firstOfLevel[level];
    parallelForEach(firstOfLevel[level + 1] - first, 128, threads, [&](int k) {
      Cell& cell = cells[first + k];
      if (cell.childCount == 0) setCell(cell, bodies + cell.firstBody, cell.bodyCount);
      else setCell(cell, &cells[cell.firstChild], cell.childCount);
    });
  }
}

}  // namespace nbody::inline NBODY_PRECISION::walk
