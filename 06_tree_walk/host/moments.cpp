#include "host/moments.hpp"

#include <cmath>

#include "base/parallel.hpp"

namespace nbody {

namespace {

constexpr int kWorthAThread = 1024;  // cells

/// Sums m and m r over parts, r from \p origin: near the parts, so that little is rounded.
struct MassSum {
  double3 origin;
  double mass = 0;
  double3 moment = {0, 0, 0};

  void add(const double3& place, double partMass) {
    mass += partMass;
    moment.x += partMass * (place.x - origin.x);
    moment.y += partMass * (place.y - origin.y);
    moment.z += partMass * (place.z - origin.z);
  }
};

void setBox(Cell& cell, const Box& box) {
  cell.lower = box.lower;
  cell.upper = box.upper;
  cell.side = box.side();
}

MassSum massSumOf(const Cell& cell) {
  return {{cell.lower.x + 0.5 * (cell.upper.x - cell.lower.x),
           cell.lower.y + 0.5 * (cell.upper.y - cell.lower.y),
           cell.lower.z + 0.5 * (cell.upper.z - cell.lower.z)}};
}

void setCentre(Cell& cell, const MassSum& sum) {
  const double3 shift =
      sum.mass == 0
          ? double3{0, 0, 0}
          : double3{sum.moment.x / sum.mass, sum.moment.y / sum.mass, sum.moment.z / sum.mass};
  cell.mass = sum.mass;
  cell.centre = {sum.origin.x + shift.x, sum.origin.y + shift.y, sum.origin.z + shift.z};
  cell.offset = std::sqrt(shift.x * shift.x + shift.y * shift.y + shift.z * shift.z);
}

/// Adds the quadrupole about the cell's centre of \p mass at \p place: the parallel-axis theorem.
void addQuadrupole(Cell& cell, const double3& place, double mass) {
  const double x = place.x - cell.centre.x;
  const double y = place.y - cell.centre.y;
  const double z = place.z - cell.centre.z;
  const double squared = x * x + y * y + z * z;
  double* q = cell.quadrupole;
  q[0] += mass * (3 * x * x - squared);
  q[1] += mass * (3 * y * y - squared);
  q[2] += mass * (3 * z * z - squared);
  q[3] += mass * 3 * x * y;
  q[4] += mass * 3 * x * z;
  q[5] += mass * 3 * y * z;
}

double squaredDistance(const double3& a, double x, double y, double z) {
  return (x - a.x) * (x - a.x) + (y - a.y) * (y - a.y) + (z - a.z) * (z - a.z);
}

double3 placeOf(const Double4& body) { return {body.x, body.y, body.z}; }

void setLeaf(Cell& cell, const Double4* bodies) {
  const Double4* end = bodies + cell.bodyCount;
  setBox(cell, tightBox(bodies, cell.bodyCount));
  MassSum sum = massSumOf(cell);
  for (const Double4* body = bodies; body != end; ++body) sum.add(placeOf(*body), body->w);
  setCentre(cell, sum);
  for (const Double4* body = bodies; body != end; ++body)
    addQuadrupole(cell, placeOf(*body), body->w);
}

void setNode(Cell& cell, const Cell* children) {
  const Cell* end = children + cell.childCount;
  Box box = {children->lower, children->upper};
  for (const Cell* child = children; child != end; ++child) box.add({child->lower, child->upper});
  setBox(cell, box);
  MassSum sum = massSumOf(cell);
  for (const Cell* child = children; child != end; ++child) sum.add(child->centre, child->mass);
  setCentre(cell, sum);
  for (const Cell* child = children; child != end; ++child) {
    addQuadrupole(cell, child->centre, child->mass);
    for (int k = 0; k < 6; ++k) cell.quadrupole[k] += child->quadrupole[k];
  }
}

}  // namespace

Box tightBox(const Double4* bodies, int count) {
  Box box = {placeOf(*bodies), placeOf(*bodies)};
  for (int k = 1; k < count; ++k) box.add(bodies[k]);
  return box;
}

void setMoments(std::vector<Cell>& cells,
                const std::vector<int>& firstOfLevel,
                const Double4* bodies,
                int threads) {
  for (int level = static_cast<int>(firstOfLevel.size()) - 2; level >= 0; --level) {
    const int first = firstOfLevel[level];
    parallelFor(firstOfLevel[level + 1] - first, 128, threads, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k) {
        Cell& cell = cells[k];
        if (cell.childCount == 0) setLeaf(cell, bodies + cell.firstBody);
        else setNode(cell, &cells[cell.firstChild]);
      }
    });
  }
}

std::vector<double> secondMoments(const Octree& tree, const std::vector<Double4>& positions) {
  const std::vector<Cell>& cells = tree.cells;
  std::vector<double> moments(cells.size(), 0);
  const int count = static_cast<int>(cells.size());
  parallelFor(count, kWorthAThread, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const Cell& cell = cells[c];
      if (cell.childCount > 0) continue;
      for (int k = 0; k < cell.bodyCount; ++k) {
        const Double4& body = positions[tree.order[cell.firstBody + k]];
        moments[c] += body.w * squaredDistance(cell.centre, body.x, body.y, body.z);
      }
    }
  });
  for (int c = count - 1; c >= 0; --c)
    for (int k = cells[c].firstChild; k < cells[c].firstChild + cells[c].childCount; ++k)
      moments[c] += moments[k] + cells[k].mass * squaredDistance(cells[c].centre,
                                                                 cells[k].centre.x,
                                                                 cells[k].centre.y,
                                                                 cells[k].centre.z);
  return moments;
}

}  // namespace nbody
