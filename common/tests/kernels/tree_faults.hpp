/// \file
/// What is wrong with step 07's tree beside the host's of the same bodies.
#pragma once

#include "catch.hpp"
#include "downloaded_tree.hpp"
#include "host/octree.hpp"
#include "made_bodies.hpp"
#include "tree/arrays.cuh"

namespace nbody {

/// What is wrong with the root of \p bodies' tree; else "".
inline std::string faultOfRoot(const RootCube& root, const std::vector<Double4>& bodies) {
  const Box box = tightBox(bodies.data(), static_cast<int>(bodies.size()));
  if (root.side != 2 * box.side()) return "the root's side";
  const double3 below = box.lower - root.lower;
  for (double shift : {below.x, below.y, below.z})
    if (!(shift >= 0 && shift <= box.side())) return "the root's place";
  return "";
}

/// What is wrong with the root mean square distance of \p bodies from their centre of mass and with the
/// density that follows; else "". The device adds up squares of distances from the first body.
inline std::string faultOfExtent(const TreeState& state, const std::vector<Double4>& bodies) {
  double mass = 0, squares = 0, farthest = 0;
  double3 sum = {0, 0, 0};
  for (const Double4& b : bodies) {
    const double3 r = placeOf(b) - placeOf(bodies[0]);
    mass += b.w;
    sum = sum + b.w * r;
    farthest = std::max(farthest, squaredLength(r));
  }
  const double3 centre = mass == 0 ? double3{0, 0, 0} : (1 / mass) * sum;
  for (const Double4& b : bodies)
    squares += b.w * squaredLength(placeOf(b) - placeOf(bodies[0]) - centre);
  const double expected = mass == 0 ? 0 : squares / mass, found = state.radius * state.radius;
  if (!(std::abs(found - expected) <= 16 * bodies.size() * 0x1p-53 * farthest)) return "radius";
  const double density = found > 0 ? mass / found : 1;
  return std::abs(state.density / density - 1) <= 1e-9 ? "" : "density";
}

/// What is wrong with a cell of \p bodies bodies beside the host's; else "". Places are good to some
/// roundoff of the largest coordinate, and all else to that beside the cell's size. Both add up in
/// FP64, in different orders.
inline std::string faultOf(const FoundCell& found,
                           const FoundCell& host,
                           int bodies,
                           double largest) {
  const double roundoff = std::numeric_limits<real>::epsilon() + bodies * 0x1p-53;
  const double place = 8 * roundoff * largest + 1e-300;
  const auto near = [](double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance;
  };
  const real4 &c = found.centre, &d = host.centre;
  if (!(near(c.x, d.x, place) && near(c.y, d.y, place) && near(c.z, d.z, place))) return "centre";
  const double reach = host.least;
  for (const auto& [a, b] :
       {std::pair{found.alone, host.alone}, {found.offset, host.offset}, {found.least, host.least}})
    if (!near(a, b, 32 * roundoff * b + 4 * place)) return "reach";
  if (!near(found.diagonal.w, host.diagonal.w, 32 * roundoff * host.diagonal.w)) return "mass";
  // Per mass; bodies are within the reach, their places off by `place`.
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

/// Sets how near the cells of the host's \p tree are opened, of bodies with the radius \p radius.
inline void setReaches(FoundCells& cells,
                       const Octree& tree,
                       const DeviceTreeOptions& options,
                       double radius) {
  for (const Cell& c : tree.cells) {
    const double byDistance = c.side / options.theta;
    const double corner = 0.5 * std::sqrt(squaredLength(c.size()));
    FoundCell& cell = cells.at({c.firstBody, c.bodyCount});
    cell.alone = byDistance;
    cell.offset = c.offset;
    cell.least = corner + c.offset;
    if (options.opening != Opening::felt || c.side == 0) continue;
    cell.alone *= kFeltReach * std::pow(c.mass / (c.side * c.side), 1.0 / 6);
    const double bounded = byDistance * std::min(1.0, c.side / (kLargeCell * radius));
    cell.least = std::max(corner, bounded) + c.offset;
  }
}

/// What is wrong with the groups of \p tree; else "".
inline std::string faultOfGroups(const DownloadedTree& tree,
                                 const std::vector<real4>& bodies,
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

/// What is wrong with the device's tree of \p positions, held against the host's; else "".
inline std::string faultOfTree(DeviceOctree& octree,
                               const std::vector<Double4>& positions,
                               const DeviceTreeOptions& options) {
  const std::vector<real4> bodies = converted<real4>(positions);
  DeviceArray<real4> device(bodies.size(), "bodies");
  device.upload(bodies);
  const auto build = [&] { octree.build(device, options, nullptr, [](const char*) {}); };
  do build();
  while (octree.lackedRoom());
  // The slots of no cell, which are downloaded with the others, are written by nobody else.
  const TreeArrays& tree = octree.arrays();
  const std::size_t slots = 8 * (1 + std::size_t(tree.nodeRoom));
  fillDevice(tree.centres, 0, slots * sizeof(real4));
  fillDevice(tree.moments, 0, 2 * slots * sizeof(real4));
  fillDevice(tree.ranges, 0, slots * sizeof(int2));
  build();  // in memory that is used for the second time
  const DownloadedTree found(octree);
  const std::vector<Double4> rounded = converted<Double4>(bodies);  // as the device has them
  const RootCube& root = found.state.root;
  for (const std::string& fault : {faultOfRoot(root, rounded), faultOfExtent(found.state, rounded)})
    if (!fault.empty()) return fault;
  const Octree host =
      buildOctree(rounded, options.leaf, options.group + 1, Grouping::runs, 0, &root);
  const TreeLayout layout = layoutOf(host, options.theta);
  FoundCells cells = cellsOf(reinterpret_cast<const int*>(layout.links.data()),
                             layout.centres,
                             layout.moments,
                             layout.bodies,
                             std::vector<real2>(layout.centres.size()));
  setReaches(cells, host, options, found.state.radius);
  const int count = tree.count;
  if (found.state.nodes > mostNodes(count, options.leaf)) return "more nodes than can be";
  if (found.state.groups > mostGroups(count, options.group)) return "more groups than can be";
  if (found.order != host.order) return "order";
  if (found.cells.size() != host.cells.size() || cells.size() != host.cells.size() ||
      static_cast<std::size_t>(found.state.leaves + found.state.nodes) != host.cells.size())
    return "cells";
  double largest = 0;
  for (const real4& b : bodies)
    largest =
        std::max({largest, std::abs(double{b.x}), std::abs(double{b.y}), std::abs(double{b.z})});
  for (const auto& [range, cell] : cells) {
    const auto same = found.cells.find(range);
    if (same == found.cells.end()) return "a cell's range";
    const std::string fault = faultOf(same->second, cell, range.second, largest);
    if (!fault.empty()) return fault;
  }
  return faultOfGroups(found, bodies, options.group);
}

}  // namespace nbody
