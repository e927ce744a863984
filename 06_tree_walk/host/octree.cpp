#include "06_tree_walk/host/octree.hpp"

#include <array>
#include <bit>
#include <stdexcept>

#include "06_tree_walk/host/space_filling.hpp"
#include "base/parallel.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

/// Runs are cut from cells of at most so many groups. For 1,048,576 bodies of a Plummer sphere,
/// runs then have 61 bodies; cut from smaller cells they have 19. Without a bound they had 63, but
/// one run reached across the sphere, with a list 15 times as long as the mean.
constexpr int kRunsWithin = 64;

/// Division of a cell's bodies: child k has places bounds[k] to bounds[k + 1] - 1.
struct Division {
  std::array<int, 9> bounds;
  int count = 0;
};

/// Returns the children of a cell, split at the first digit in which the bodies' keys differ. This
/// skips cells that would have one child.
Division divisionOf(const Cell& cell, int leaf, const KeyedBody* keyed) {
  const KeyedBody* begin = keyed + cell.firstBody;
  const KeyedBody* end = begin + cell.bodyCount;
  Division division;
  const std::uint64_t difference = begin->key ^ end[-1].key;
  if (cell.bodyCount < leaf || difference == 0) return division;
  const int level = (std::countl_zero(difference) - 1) / 3;  // a key has 63 of 64 bits
  division.bounds[0] = cell.firstBody;
  while (begin != end) {
    const int here = digit(begin->key, level);
    begin = std::partition_point(
        begin, end, [=](const KeyedBody& body) { return digit(body.key, level) == here; });
    division.bounds[++division.count] = static_cast<int>(begin - keyed);
  }
  return division;
}

/// Adds the children of the cells from \p first on, and sets the parents' ranges.
void addLevel(std::vector<Cell>& cells, int first, int leaf, const KeyedBody* keyed, int threads) {
  const int count = static_cast<int>(cells.size()) - first;
  std::vector<Division> divisions(count);
  constexpr int kSmallestPart = 128;
  parallelForEach(count, kSmallestPart, threads, [&](int k) {
    divisions[k] = divisionOf(cells[first + k], leaf, keyed);
  });
  int next = first + count;
  for (int k = 0; k < count; ++k) {
    cells[first + k].firstChild = next;
    cells[first + k].childCount = divisions[k].count;
    next += divisions[k].count;
  }
  cells.resize(next);
  parallelForEach(count, kSmallestPart, threads, [&](int k) {
    const auto& bounds = divisions[k].bounds;
    for (int child = 0; child < divisions[k].count; ++child) {
      Cell& cell = cells[cells[first + k].firstChild + child];
      cell.firstBody = bounds[child];
      cell.bodyCount = bounds[child + 1] - bounds[child];
    }
  });
}

/// Returns runs of fewer than \p group bodies, of equal length in each of the largest cells with
/// fewer than \p within bodies. Does not set their boxes.
std::vector<BodyGroup> runsOf(const std::vector<Cell>& cells, int group, int within) {
  std::vector<BodyGroup> runs;
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const Cell& cell = cells[stack.back()];
    stack.pop_back();
    if (cell.bodyCount >= within && cell.childCount > 0) {
      for (int child = cell.childCount; child-- > 0;) stack.push_back(cell.firstChild + child);
      continue;
    }
    const int pieces = (cell.bodyCount - 1) / (group - 1) + 1;
    for (int piece = 0; piece < pieces; ++piece) {
      const auto bound = [&](long long k) { return static_cast<int>(cell.bodyCount * k / pieces); };
      runs.push_back({{}, cell.firstBody + bound(piece), bound(piece + 1) - bound(piece)});
    }
  }
  return runs;
}

}  // namespace

Octree buildOctree(const std::vector<Double4>& positions,
                   int leaf,
                   int group,
                   Grouping grouping,
                   int threads,
                   const RootCube* root) {
  if (leaf < 2 || group < 2)
    throw std::invalid_argument("leaf and group of an octree must be at least 2");
  Octree tree;
  const int count = static_cast<int>(positions.size());
  if (count == 0) return tree;
  const auto keyed = spaceFillingOrder(positions, threads, root);
  const auto bodies = std::make_unique_for_overwrite<Double4[]>(count);
  tree.order.resize(count);
  parallelForEach(count, 4096, threads, [&](int k) {
    tree.order[k] = keyed[k].body;
    bodies[k] = positions[keyed[k].body];
  });
  tree.cells.resize(1);
  tree.cells[0].bodyCount = count;
  std::vector<int> firstOfLevel = {0};
  while (firstOfLevel.back() < static_cast<int>(tree.cells.size())) {
    const int first = firstOfLevel.back();
    firstOfLevel.push_back(static_cast<int>(tree.cells.size()));
    addLevel(tree.cells, first, leaf, keyed.get(), threads);
  }
  tree.depth = static_cast<int>(firstOfLevel.size()) - 2;
  setMoments(tree.cells, firstOfLevel, bodies.get(), threads);
  tree.groups =
      runsOf(tree.cells, group, grouping == Grouping::cells ? group : kRunsWithin * group);
  parallelForEach(static_cast<int>(tree.groups.size()), 256, threads, [&](int k) {
    BodyGroup& group = tree.groups[k];
    static_cast<Box&>(group) = tightBox(&bodies[group.firstBody], group.bodyCount);
  });
  return tree;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
