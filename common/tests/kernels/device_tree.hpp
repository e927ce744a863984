/// \file
/// Step 07's tree, downloaded, and what is wrong with it beside the host's tree of the same bodies.
#pragma once

#include <map>

#include "catch.hpp"
#include "device_root.hpp"
#include "made_bodies.hpp"
#include "tree/device_octree.cuh"

namespace nbody {

/// What both trees say of a cell.
struct FoundCell {
  real4 centre, diagonal, rest;
  double alone, offset, least;  ///< as Reach has them
};

/// By first body and number of bodies.
using FoundCells = std::map<std::pair<int, int>, FoundCell>;

/// The cells that links lead to.
inline FoundCells cellsOf(const int* links,
                          const std::vector<real4>& centres,
                          const std::vector<real4>& moments,
                          const std::vector<int2>& ranges,
                          const std::vector<real2>& reaches) {
  FoundCells cells;
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const int word = stack.back();
    stack.pop_back();
    for (int k = 0; k < 8; ++k) {
      const int slot = slotOf(word, k);
      if (links[slot] == kNoChild) continue;
      const real4* q = &moments[momentsOf(slot)];
      const real2 more = reaches[slot];
      cells[{ranges[slot].x, ranges[slot].y}] = {
          centres[slot], q[0], q[1], centres[slot].w, more.x, more.y};
      if (links[slot] != kLeafChild) stack.push_back(links[slot]);
    }
  }
  return cells;
}

template <class T>
std::vector<T> downloaded(const T* device, std::size_t count) {
  std::vector<T> host(count);
  copyToHost(host.data(), device, count * sizeof(T));
  return host;
}

struct DownloadedTree {
  TreeState state;
  std::vector<int> order;
  FoundCells cells;
  std::vector<GroupBox> groups;

  explicit DownloadedTree(const DeviceOctree& octree) : state(octree.state()) {
    const TreeArrays& tree = octree.arrays();
    order = downloaded(tree.order, tree.count);
    groups = downloaded(tree.groups, state.groups);
    const std::size_t slots = 8 * (1 + std::size_t(state.nodes));
    const std::vector<int4> links = downloaded(tree.links, slots / 4);
    const int* words = reinterpret_cast<const int*>(links.data());
    const std::vector<real4> centres = downloaded(tree.centres, slots);
    const std::vector<real4> moments = downloaded(tree.moments, 2 * slots);
    const std::vector<int2> ranges = downloaded(tree.ranges, slots);
    cells = cellsOf(words, centres, moments, ranges, downloaded(tree.reaches, slots));
  }
};

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
