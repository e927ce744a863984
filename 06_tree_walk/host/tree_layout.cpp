#include "06_tree_walk/host/tree_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/bad_input.hpp"
#include "base/parallel.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

constexpr int kSmallest = 1024;  // so many cells take longer than starting a thread

real3 rounded(const double3& v) {
  return {static_cast<real>(v.x), static_cast<real>(v.y), static_cast<real>(v.z)};
}

real4 rounded(double x, double y, double z, double w) {
  return {static_cast<real>(x), static_cast<real>(y), static_cast<real>(z), static_cast<real>(w)};
}

/// Returns the first word of each cell in the main array, or the mark of a leaf.
std::vector<int> linksOf(const std::vector<Cell>& cells) {
  std::vector<int> links(cells.size());
  long long nodes = 1;  // 1: the node above the tree
  for (std::size_t c = 0; c < cells.size(); ++c)
    links[c] = cells[c].childCount == 0 ? kLeafChild : static_cast<int>(2 * nodes++);
  if (nodes > kMaxNodes)
    throw BadInput("--leaf: the tree has " + std::to_string(nodes) + " nodes, " +
                   std::to_string(kMaxNodes) + " can be numbered; larger leaves make fewer");
  return links;
}

void setCell(TreeLayout& layout, int index, const Cell& cell, double theta) {
  const real3 centre = rounded(cell.centre);
  const double* q = cell.quadrupole;
  const real distance = openingDistance(cell, theta);
  layout.centres[index] = {centre.x, centre.y, centre.z, distance * distance};
  real4* moments = &layout.moments[momentsOf(index)];
  const double perMass = cell.mass == 0 ? 0 : 1 / cell.mass;
  moments[0] = rounded(perMass * q[0], perMass * q[1], perMass * q[2], cell.mass);
  moments[1] = rounded(perMass * q[3], perMass * q[4], perMass * q[5], perMass * cell.secondMoment);
  layout.bodies[index] = {cell.firstBody, cell.bodyCount};
}

std::vector<GroupBox> boxesOf(const std::vector<BodyGroup>& groups) {
  std::vector<GroupBox> boxes;
  boxes.reserve(groups.size());
  // Exact: corners are coordinates of bodies, which the device has in the same precision.
  for (const BodyGroup& g : groups)
    boxes.push_back({rounded(g.lower), rounded(g.upper), g.firstBody, g.bodyCount});
  return boxes;
}

}  // namespace

real openingDistance(const Cell& cell, double theta) {
  const double distance = openingReach(cell, theta);
  // The device's centre of mass is wrong by up to one roundoff of each coordinate, together sqrt(3)
  // of the largest. Differences, squares, sum and this distance add 8 roundoffs of the distance.
  const double unitRoundoff = 0.5 * std::numeric_limits<real>::epsilon();
  const double3& centre = cell.centre;
  const double largest = std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)});
  return static_cast<real>(distance + unitRoundoff * (8 * distance + 2 * largest));
}

TreeLayout layoutOf(const Octree& tree, double theta) {
  const std::vector<Cell>& cells = tree.cells;
  const std::vector<int> links = linksOf(cells);
  const std::size_t nodes = 1 + (links.size() - std::count(links.begin(), links.end(), kLeafChild));
  TreeLayout layout = {std::vector<int4>(2 * nodes, {kNoChild, kNoChild, kNoChild, kNoChild}),
                       std::vector<real4>(8 * nodes, {0, 0, 0, 0}),
                       std::vector<real4>(16 * nodes, {0, 0, 0, 0}),
                       std::vector<int2>(8 * nodes, {0, 0}),
                       boxesOf(tree.groups)};
  layout.links[0].x = links[0];
  setCell(layout, childIndex(0, 0), cells[0], theta);
  parallelForEach(static_cast<int>(cells.size()), kSmallest, [&](int c) {
    for (int k = 0; k < cells[c].childCount; ++k) {
      const int child = cells[c].firstChild + k;
      int4& word = layout.links[links[c] + k / 4];
      (k % 4 == 0 ? word.x : k % 4 == 1 ? word.y : k % 4 == 2 ? word.z : word.w) = links[child];
      setCell(layout, childIndex(links[c], k), cells[child], theta);
    }
  });
  return layout;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
