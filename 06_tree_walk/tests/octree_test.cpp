// The host's octree: every body in one leaf, tight boxes, moments that add up, whatever the bodies.
#include <array>
#include <bit>
#include <map>

#include "06_tree_walk/host/octree.hpp"
#include "06_tree_walk/host/space_filling.hpp"
#include "catch.hpp"
#include "octree_inputs.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

// Checks what must hold of any octree, compared with its bodies.

using Positions = std::vector<Double4>;

inline double largest(const Box& box) {
  const auto of = [](const double3& p) {
    return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  };
  return std::max(of(box.lower), of(box.upper));
}

inline bool same(const double3& one, const double3& other) {
  return one.x == other.x && one.y == other.y && one.z == other.z;
}

/// The bodies of a range of the order.
inline Positions bodiesOf(const Octree& tree, const Positions& positions, int first, int count) {
  Positions bodies;
  for (int k = first; k < first + count; ++k) bodies.push_back(positions[tree.order[k]]);
  return bodies;
}

inline Box boxOf(const Positions& bodies) {
  Box box = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (const Double4& body : bodies) box.add(body);
  return box;
}

/// Sums over bodies, about a centre.
struct Moments {
  double mass = 0;
  long double first[3] = {};
  long double quadrupole[6] = {};

  Moments(const double3& centre, const Positions& bodies) {
    for (const Double4& body : bodies) {
      const long double r[3] = {body.x - static_cast<long double>(centre.x),
                                body.y - static_cast<long double>(centre.y),
                                body.z - static_cast<long double>(centre.z)};
      const long double squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      mass += body.w;
      for (int k = 0; k < 3; ++k) {
        first[k] += body.w * r[k];
        quadrupole[k] += body.w * (3 * r[k] * r[k] - squared);
      }
      quadrupole[3] += body.w * 3 * r[0] * r[1];
      quadrupole[4] += body.w * 3 * r[0] * r[2];
      quadrupole[5] += body.w * 3 * r[1] * r[2];
    }
  }
};

/// Returns what is wrong with a cell's box and moments, judged by sums over its bodies; else "".
inline std::string faultOf(const Cell& cell, const Positions& bodies) {
  const Box box = boxOf(bodies);
  if (!same(box.lower, cell.lower) || !same(box.upper, cell.upper)) return "box";
  if (cell.side != box.side()) return "side";
  // Sums over n terms, and coordinates, which are exact to 2^-53 of their size.
  const double place = 1e-14 * cell.side + 4e-16 * largest(box);
  const Moments sums(cell.centre, bodies);
  if (!(std::abs(cell.mass - sums.mass) <= 1e-13 * sums.mass)) return "mass";
  for (long double sum : sums.first)
    if (!(std::abs(sum) <= 4 * sums.mass * place)) return "centre of mass";
  for (int k = 0; k < 6; ++k)
    if (!(std::abs(sums.quadrupole[k] - cell.quadrupole[k]) <= 32 * sums.mass * place * cell.side))
      return "quadrupole";
  const double offset = std::sqrt(squaredLength(cell.centre - box.middle()));
  if (sums.mass == 0 && offset != 0) return "centre without mass";
  if (!(std::abs(offset - cell.offset) <= 4 * place)) return "offset";
  return "";
}

/// Cells of one parent are cubes side by side: along some axis their bodies do not mix.
inline bool apart(const Cell& one, const Cell& other) {
  return one.upper.x < other.lower.x || other.upper.x < one.lower.x ||
         one.upper.y < other.lower.y || other.upper.y < one.lower.y ||
         one.upper.z < other.lower.z || other.upper.z < one.lower.z;
}

/// Returns what is wrong with the ranges of the cells; else "".
inline std::string faultOfDivision(const Octree& tree, int leaf) {
  const std::vector<Cell>& cells = tree.cells;
  int nextChild = 1, inLeaves = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Cell& cell = cells[k];
    if (cell.childCount == 0) {
      inLeaves += cell.bodyCount;
      if (cell.bodyCount >= leaf && cell.side > 0x1p-20 * cells[0].side) return "leaf too large";
      continue;
    }
    if (cell.bodyCount < leaf || cell.childCount < 2 || cell.childCount > 8) return "division";
    if (cell.firstChild != nextChild || cell.firstChild <= static_cast<int>(k)) return "children";
    nextChild += cell.childCount;
    int body = cell.firstBody;
    for (int child = cell.firstChild; child < nextChild; ++child) {
      if (cells[child].firstBody != body || cells[child].bodyCount < 1) return "range";
      body += cells[child].bodyCount;
      for (int other = cell.firstChild; other < child; ++other)
        if (!apart(cells[child], cells[other])) return "siblings overlap";
    }
    if (body != cell.firstBody + cell.bodyCount) return "partition";
  }
  if (nextChild != static_cast<int>(cells.size())) return "stray cell";
  return inLeaves == cells[0].bodyCount ? "" : "bodies in leaves";
}

inline std::string faultOfGroups(const Octree& tree, const Positions& positions, int group) {
  std::map<std::pair<int, int>, bool> whole;  // ranges of cells: whether the parent is too large
  whole[{0, tree.cells[0].bodyCount}] = true;
  for (const Cell& cell : tree.cells)
    for (int k = cell.firstChild; k < cell.firstChild + cell.childCount; ++k)
      whole[{tree.cells[k].firstBody, tree.cells[k].bodyCount}] = cell.bodyCount >= group;
  int next = 0;
  for (const BodyGroup& part : tree.groups) {
    if (part.firstBody != next || part.bodyCount < 1 || part.bodyCount >= group) return "range";
    next += part.bodyCount;
    const Box box = boxOf(bodiesOf(tree, positions, part.firstBody, part.bodyCount));
    if (!same(box.lower, part.lower) || !same(box.upper, part.upper)) return "box";
    const auto cell = whole.find({part.firstBody, part.bodyCount});
    if (cell != whole.end() && !cell->second) return "parent would do";
    if (cell != whole.end()) continue;
    bool inLargeLeaf = false;
    for (const Cell& leaf : tree.cells)
      inLargeLeaf |= leaf.childCount == 0 && leaf.bodyCount >= group &&
                     leaf.firstBody <= part.firstBody &&
                     part.firstBody + part.bodyCount <= leaf.firstBody + leaf.bodyCount;
    if (!inLargeLeaf) return "neither cell nor piece of a leaf";
  }
  return next == static_cast<int>(positions.size()) ? "" : "bodies in groups";
}

}  // namespace nbody::inline NBODY_PRECISION::walk

using namespace nbody;
using namespace nbody::walk;

namespace {

void requireRight(const Octree& tree, const Positions& positions, int leaf, int group) {
  const int count = static_cast<int>(positions.size());
  std::vector<int> sorted = tree.order;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(static_cast<int>(sorted.size()) == count);
  for (int i = 0; i < count; ++i)
    if (sorted[i] != i) FAIL("body " << i << " is not in the order once");
  REQUIRE(tree.cells[0].firstBody == 0);
  REQUIRE(tree.cells[0].bodyCount == count);
  REQUIRE(faultOfDivision(tree, leaf) == "");
  REQUIRE(faultOfGroups(tree, positions, group) == "");
  REQUIRE(tree.depth <= kKeyLevels);
  for (const Cell& cell : tree.cells)
    REQUIRE(faultOf(cell, bodiesOf(tree, positions, cell.firstBody, cell.bodyCount)) == "");
}

}  // namespace

TEST_CASE("an octree of any bodies holds each once, in tight boxes with their moments") {
  for (const OctreeInput& input : octreeInputs())
    for (auto [leaf, group] : {std::pair{8, 8}, {2, 64}, {64, 5}, {64, 64}}) {
      INFO(input.name << ", leaf " << leaf << ", group " << group);
      requireRight(buildOctree(input.positions, leaf, group), input.positions, leaf, group);
    }
}

TEST_CASE("eight bodies, one in each octant, are a root and eight leaves along Hilbert's curve") {
  Positions corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0, 0.5});
  const Octree tree = buildOctree(corners, 2, 2);
  REQUIRE(tree.cells.size() == 9);
  REQUIRE(tree.groups.size() == 8);
  REQUIRE(tree.depth == 1);
  for (int k = 1; k < 8; ++k)  // neighbours on the curve share a face: one bit of k differs
    CHECK(std::popcount(static_cast<unsigned>(tree.order[k] ^ tree.order[k - 1])) == 1);
  CHECK(buildOctree(corners, 9, 9).cells.size() == 1);
}

TEST_CASE("Hilbert's curve steps from a cell to a neighbour") {
  std::vector<std::array<std::uint64_t, 4>> cells;  // key, x, y, z of a grid of 16 cells a side
  for (unsigned x = 0; x < 16; ++x)
    for (unsigned y = 0; y < 16; ++y)
      for (unsigned z = 0; z < 16; ++z)
        cells.push_back({hilbertKey(x << 17, y << 17, z << 17) >> 51, x, y, z});
  std::sort(cells.begin(), cells.end());
  int wrong = 0;
  for (std::size_t k = 1; k < cells.size(); ++k) {
    int steps = 0;
    for (int axis : {1, 2, 3})
      steps += std::abs(static_cast<int>(cells[k][axis] - cells[k - 1][axis]));
    wrong += steps != 1 || cells[k][0] != k;
  }
  CHECK(wrong == 0);
}

TEST_CASE("an octree does not depend on the number of threads") {
  const Positions positions = mergingSpheres(50'000);  // six parts of the sort
  const Octree one = buildOctree(positions, 64, 64, Grouping::cells, 1);
  const Octree four = buildOctree(positions, 64, 64, Grouping::cells, 4);
  CHECK(sameBits(one.order, four.order));
  CHECK(sameBits(one.cells, four.cells));
  CHECK(sameBits(one.groups, four.groups));
  CHECK(one.depth == four.depth);
}

TEST_CASE("an octree of no bodies is empty, and leaves and groups need a size") {
  CHECK(buildOctree({}, 8, 8).cells.empty());
  CHECK(contains(messageOf([] { buildOctree({{0, 0, 0, 1}}, 1, 8); }), "at least 2"));
  CHECK(contains(messageOf([] { buildOctree({{0, 0, 0, 1}}, 8, 1); }), "at least 2"));
}
