// The host's tree code: lists that hold each body once, and forces held against direct summation.
#include "06_tree_walk/host/host_walk.hpp"

#include "octree_inputs.hpp"
#include "physics/force_error.hpp"
#include "physics/reference.hpp"

using namespace nbody;
using namespace nbody::walk;

namespace {

constexpr double kSoftening = 0.01;

std::vector<Double4> directForces(const std::vector<Double4>& positions) {
  const int count = static_cast<int>(positions.size());
  return referenceAccelerations({positions, {}}, kSoftening, sampleOf(count, count));
}

bool within(double share, double value, double expected) {
  return std::abs(value - expected) <= share * std::abs(expected);
}

/// Errors of all bodies, relative to the direct sums.
ForceError errorsOf(const std::vector<Double4>& forces, const std::vector<Double4>& direct) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < direct.size(); ++i)
    errors.push_back(distance(forces[i], direct[i]) / length(direct[i]));
  ForceError error;
  summarizeErrors(errors, error);
  return error;
}

/// Bodies that a list does not hold exactly once; adds the masses of what it holds to \p mass.
int miscounted(const Octree& tree, const std::vector<Double4>& positions,
               const InteractionList& list, double& mass) {
  std::vector<int> held(positions.size());
  for (const std::vector<int>* part : {&list.nodes, &list.leaves})
    for (int index : *part) {
      const Cell& cell = tree.cells[index];
      for (int k = cell.firstBody; k < cell.firstBody + cell.bodyCount; ++k) {
        ++held[k];
        if (part == &list.leaves) mass += positions[tree.order[k]].w;
      }
      if (part == &list.nodes) mass += cell.mass;
    }
  return static_cast<int>(positions.size() - std::count(held.begin(), held.end(), 1));
}

/// Distance to the nearest other body, softened.
double nearest(const std::vector<Double4>& positions, int i) {
  double least = 1e300;
  for (int j = 0; j < static_cast<int>(positions.size()); ++j)
    if (j != i) least = std::min(least, distance(positions[i], positions[j]));
  return std::hypot(least, kSoftening);
}

/// FP32 forces against FP64 sums: each term is rounded about ten times; a sum of n terms of one
/// size drifts by at most n / 2 roundings, however many lanes share it; positions from the centre
/// of the group are rounded once, which costs the group's side / the nearest distance.
void requireRounding(const Octree& tree, const std::vector<Double4>& positions,
                     const std::vector<Double4>& forces) {
  const std::vector<Double4> direct = directForces(positions);
  const double roundings = 16 + 0.5 * static_cast<double>(positions.size());
  for (const BodyGroup& group : tree.groups)
    for (int k = group.firstBody; k < group.firstBody + group.bodyCount; ++k) {
      const int i = tree.order[k];
      const double spread = Box{group.lower, group.upper}.side() / nearest(positions, i);
      const double error = distance(forces[i], direct[i]);
      if (!(error <= 0x1p-24 * (roundings + 16 * spread) * direct[i].w))
        FAIL("body " << i << ", spread " << spread << ", error " << error);
    }
}

}  // namespace

TEST_CASE("a group's list holds every body once, at any opening angle") {
  for (const OctreeInput& input : octreeInputs()) {
    const Octree tree = buildOctree(input.positions, 16, 32);
    for (double theta : {1e-9, 0.5, 1.5}) {
      INFO(input.name << ", theta " << theta);
      InteractionList list;
      for (const BodyGroup& group : tree.groups) {
        walkTree(tree, group, theta, list);
        double mass = 0;
        REQUIRE(miscounted(tree, input.positions, list, mass) == 0);
        REQUIRE(within(1e-12, mass, tree.cells[0].mass));
      }
    }
  }
}

TEST_CASE("a cell is opened up to side / theta + offset from its centre of mass") {
  // Masses 3 and 1, 1 apart: the centre of mass is at 0.25, so l = 1 and s = 0.25.
  const auto nodesAt = [](double x) {
    const Octree tree = buildOctree({{0, 0, 0, 3}, {1, 0, 0, 1}, {x, 0, 0, 0}}, 3, 2);
    InteractionList list;
    walkTree(tree, tree.groups.back(), 0.5, list);
    return list.nodes.size();  // the cell of the two, where it is closed
  };
  CHECK(nodesAt(0.25 + 2.25 + 1e-9) == 1);
  CHECK(nodesAt(0.25 + 2.25) == 0);
}

TEST_CASE("forces near direct summation, the nearer the smaller the opening angle") {
  for (const auto& positions : {makePlummer(6000, 1).positions, mergingSpheres(6000)}) {
    const Octree tree = buildOctree(positions, 64, 64);
    const std::vector<Double4> direct = directForces(positions);
    double before = 0, beforeMonopoles = 0;
    for (double theta : {0.3, 0.5, 0.75, 1.0}) {
      INFO("theta " << theta);
      const auto errorsWith = [&](bool quadrupoles) {
        return errorsOf(treeForces(tree, positions, kSoftening, theta, quadrupoles), direct);
      };
      const ForceError monopoles = errorsWith(false), errors = errorsWith(true);
      CHECK(errors.median > 1.25 * before);
      CHECK(monopoles.median > 1.25 * beforeMonopoles);
      CHECK(errors.median < 0.7 * monopoles.median);
      CHECK(errors.p99 < monopoles.p99);
      CHECK(errors.median < 2e-3 * theta * theta * theta);
      CHECK(errors.p99 < 2e-2 * theta * theta * theta);
      before = errors.median;
      beforeMonopoles = monopoles.median;
    }
  }
}

TEST_CASE("an opening angle that opens every cell gives direct summation to rounding") {
  for (const OctreeInput& input : octreeInputs()) {
    INFO(input.name);
    const Octree tree = buildOctree(input.positions, 16, 16);
    for (bool quadrupoles : {false, true})
      requireRounding(tree, input.positions,
                      treeForces(tree, input.positions, kSoftening, 1e-12, quadrupoles));
  }
}

TEST_CASE("a pair's pull along its axis and across it has the quadrupole's sign") {
  // Masses 1/2 at x = +-h: M (1 + 3 h^2 / d^2) / d^2 along the axis, M (1 - 3/2 h^2 / d^2) / d^2
  // across it; the next term is smaller by h^2 / d^2. Softening 1e-4 does not show.
  constexpr double h = 0.5, d = 8, squared = h * h / (d * d);
  const auto pullAt = [](double x, double y, bool quadrupoles) {
    const std::vector<Double4> positions = {{-h, 0, 0, 0.5}, {h, 0, 0, 0.5}, {x, y, 0, 0}};
    const Octree tree = buildOctree(positions, 3, 2);
    const Double4 a = treeForces(tree, positions, 1e-4, 1, quadrupoles)[2];
    return -(x * a.x + y * a.y) * d;  // times d^2 / d: 1 for a monopole
  };
  CHECK(within(1e-6, pullAt(d, 0, false), 1));
  CHECK(within(1e-6, pullAt(d, 0, true), 1 + 3 * squared));
  CHECK(within(1e-6, pullAt(0, d, true), 1 - 1.5 * squared));
  // Off the axes: u Q u is M h^2 / 2 at 45 degrees, and Q u has a part across u.
  const double side = d / std::sqrt(2);
  CHECK(within(1e-6, pullAt(side, side, true), 1 + 0.75 * squared));
}

TEST_CASE("errors of a far cell fall as the next moment does") {
  std::vector<Double4> positions = makeCube(50, 9).positions;
  const auto errorAt = [&](double d, bool quadrupoles) {
    std::vector<Double4> all = positions;
    all.push_back({d, 0.7 * d, -0.4 * d, 0});
    const Octree tree = buildOctree(all, 51, 2);
    InteractionList list;
    walkTree(tree, tree.groups.back(), 0.75, list);
    REQUIRE(list.nodes.size() == 1);
    const Double4 direct = referenceAccelerations({all, {}}, kSoftening, {50})[0];
    return distance(treeForces(tree, all, kSoftening, 0.75, quadrupoles)[50], direct) /
           length(direct);
  };
  // Twice as far: 2^-2 for monopoles, 2^-3 for quadrupoles; 30% for the terms after.
  CHECK(within(0.3, errorAt(16, false) / errorAt(8, false), 0.25));
  CHECK(within(0.3, errorAt(16, true) / errorAt(8, true), 0.125));
}

TEST_CASE("tree forces do not depend on the number of threads, and one body feels none") {
  const std::vector<Double4> positions = mergingSpheres(3000);
  const Octree tree = buildOctree(positions, 32, 32);
  const auto one = treeForces(tree, positions, kSoftening, 0.75, true, 1);
  const auto four = treeForces(tree, positions, kSoftening, 0.75, true, 4);
  CHECK(sameBits(one, four));
  const std::vector<Double4> single = {{1, 2, 3, 4}};
  CHECK(length(treeForces(buildOctree(single, 64, 64), single, kSoftening, 0.5, true)[0]) == 0);
}
