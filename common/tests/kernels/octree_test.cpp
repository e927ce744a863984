// The host's octree: every body in one leaf, tight boxes, moments that add up, whatever the bodies.
#include "06_tree_walk/host/octree.hpp"

#include <array>
#include <bit>

#include "06_tree_walk/host/space_filling.hpp"
#include "octree_checks.hpp"
#include "octree_inputs.hpp"

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
  const Cell& root = tree.cells[0];
  CHECK(root.mass == 4);
  CHECK(same(root.centre, {0, 0, 0}));
  CHECK(root.side == 2);
  CHECK(root.offset == 0);
  for (double moment : root.quadrupole) CHECK(moment == 0);
  for (int k = 1; k < 8; ++k)  // neighbours on the curve share a face: one bit of k differs
    CHECK(std::popcount(static_cast<unsigned>(tree.order[k] ^ tree.order[k - 1])) == 1);
  CHECK(buildOctree(corners, 9, 9).cells.size() == 1);
}

TEST_CASE("two bodies have the moments worked out by hand") {
  const Octree tree = buildOctree({{3, 1, 0, 1}, {-1, 1, 0, 3}}, 3, 3);
  const Cell& root = tree.cells[0];
  CHECK(root.mass == 4);
  CHECK(same(root.centre, {0, 1, 0}));
  CHECK(root.offset == 1);
  const double expected[] = {24, -12, -12, 0, 0, 0};  // 1 (27 - 9) + 3 (3 - 1); the trace is 0
  for (int k = 0; k < 6; ++k) CHECK(root.quadrupole[k] == expected[k]);
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
  const Positions positions = mergingSpheres(50'000);  // six shares of the sort
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
