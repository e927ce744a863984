/// \file
/// Compares step 07's tree with the host's tree of the same bodies.
#pragma once

#include "catch.hpp"
#include "downloaded_tree.hpp"
#include "made_bodies.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

/// Compares a cell of \p bodies bodies with the host's, and returns what differs, or "". Positions
/// may differ by roundoff of the largest coordinate, other values also by that relative to the
/// cell's size: device and host sum in FP64 in different orders.
/// \param reach  distance from the cell's centre of mass to its corners
inline std::string faultOf(const FoundCell& found, const FoundCell& host, double reach, int bodies,
                           double largest) {
  const double roundoff = std::numeric_limits<real>::epsilon() + bodies * 0x1p-53;
  const double place = 8 * roundoff * largest + 1e-300;
  const auto near = [](double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance;
  };
  const real4 &c = found.centre, &d = host.centre;
  if (!(near(c.x, d.x, place) && near(c.y, d.y, place) && near(c.z, d.z, place))) return "centre";
  if (!near(found.diagonal.w, host.diagonal.w, 32 * roundoff * host.diagonal.w)) return "mass";
  // Per mass; bodies are within the reach, and their positions differ by at most `place`.
  const double moment = 64 * roundoff * reach * reach + 8 * place * (reach + place);
  const real4 &p = found.diagonal, &q = host.diagonal, &r = found.rest, &s = host.rest;
  for (const auto& [a, b] : {std::pair{p.x, q.x},
                             {p.y, q.y},
                             {p.z, q.z},
                             {r.x, s.x},
                             {r.y, s.y},
                             {r.z, s.z},
                             {r.w, s.w}})
    if (!near(a, b, moment)) return "moment";
  return "";
}

/// Returns whether an opening radius or a part of one is \p expected except for rounding. The cell
/// has \p bodies bodies, with coordinates up to \p largest.
inline bool sameRadius(double found, double expected, int bodies, double largest) {
  const double roundoff = std::numeric_limits<real>::epsilon() + bodies * 0x1p-53;
  return std::abs(found - expected) <= 32 * roundoff * (expected + largest) + 1e-300;
}

/// Returns what is wrong with the groups of \p tree, or "".
inline std::string faultOfGroups(const DownloadedTree& tree, const std::vector<real4>& bodies,
                                 int group) {
  int next = 0;
  for (const GroupBox& box : tree.groups) {
    if (box.firstBody != next || box.bodyCount < 1 || box.bodyCount > group) return "range";
    next += box.bodyCount;
    real3 low = box.upper, high = box.lower;
    for (int k = box.firstBody; k < next; ++k) {
      const real4 b = bodies[tree.order[k]];
      low = {std::min(low.x, b.x), std::min(low.y, b.y), std::min(low.z, b.z)};
      high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
    }
    for (const auto& [a, b] : {std::pair{low, box.lower}, {high, box.upper}})
      if (a.x != b.x || a.y != b.y || a.z != b.z) return "box";
  }
  return next == static_cast<int>(bodies.size()) ? "" : "bodies in groups";
}

inline double largestCoordinate(const std::vector<real4>& bodies) {
  double largest = 0;
  for (const real4& b : bodies)
    largest =
        std::max({largest, std::abs(double{b.x}), std::abs(double{b.y}), std::abs(double{b.z})});
  return largest;
}

/// Builds a tree of \p positions, compares it with the host's, and returns what differs, or "".
/// \tparam Built  BuiltTree of the test of the step or of the tuned tree
template <class Built, class Options>
std::string faultOfTree(Built& built, const std::vector<Double4>& positions,
                        const Options& options) {
  const std::vector<real4> bodies = converted<real4>(positions);
  DeviceArray<real4> device(bodies.size(), "bodies");
  device.upload(bodies);
  do built.build(device, options);
  while (built.lackedMemory());
  // Elements without a cell are downloaded with the others, but the build does not write them.
  const Tree tree = built.memory().tree();
  const std::size_t capacity = built.memory().cellCapacity();
  fillDevice(tree.moments.centres, 0, capacity * sizeof(real4));
  fillDevice(tree.moments.moments, 0, 2 * capacity * sizeof(real4));
  fillDevice(tree.cells.ranges, 0, capacity * sizeof(int2));
  built.build(device, options);  // in memory that is used for the second time
  const DownloadedTree found(built.memory());
  const std::vector<Double4> rounded = converted<Double4>(bodies);  // as on the device
  const RootCube& root = found.state.root;
  if (const std::string fault = built.faultOfRoot(root, rounded); !fault.empty()) return fault;
  const walk::Octree host =
      buildOctree(rounded, options.leaf, options.group + 1, walk::Grouping::runs, 0, &root);
  const walk::TreeLayout layout = layoutOf(host, options.theta);
  const FoundCells cells = cellsOf(reinterpret_cast<const int*>(layout.links.data()),
                                   layout.centres, layout.moments, layout.bodies);
  const int count = tree.sorted.count;
  if (found.state.nodes > mostNodes(count, options.leaf)) return "more nodes than can be";
  if (found.state.groups > mostGroups(count, options.group)) return "more groups than can be";
  if (found.order != host.order) return "order";
  if (found.cells.size() != host.cells.size() || cells.size() != host.cells.size() ||
      static_cast<std::size_t>(found.state.leaves + found.state.nodes) != host.cells.size())
    return "cells";
  const double largest = largestCoordinate(bodies);
  const auto radii = built.radii(found);
  for (const walk::Cell& cell : host.cells) {
    const std::pair range = {cell.firstBody, cell.bodyCount};
    const auto same = found.cells.find(range);
    if (same == found.cells.end()) return "a cell's range";
    const double reach = 0.5 * std::sqrt(walk::squaredLength(cell.size())) + cell.offset;
    const std::string fault =
        faultOf(same->second, cells.at(range), reach, cell.bodyCount, largest);
    if (!fault.empty()) return fault;
    if (!built.opensAsIn(radii, same->second, cell, options, largest)) return "opening radius";
  }
  return faultOfGroups(found, bodies, options.group);
}

}  // namespace nbody::inline NBODY_PRECISION::tree
