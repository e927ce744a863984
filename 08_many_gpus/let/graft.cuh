/// \file
/// The trees that came from other ranks, hung onto a rank's own: step 06's walk then walks all as one.
#pragma once

#include "let/cut.cuh"

namespace nbody {

/// What a rank tells another before it sends: only its device knew.
struct Announced {
  int cells, nodes, bodies;
};

/// Room behind a rank's own tree for what other ranks send; it only grows.
class RemoteRoom {
 public:
  /// Makes room for \p nodes nodes and \p bodies bodies. True: there was less, and the tree has to be built
  /// again.
  bool grow(int nodes, int bodies) {
    if (nodes <= room_.nodes && bodies <= room_.bodies) return false;
    room_.nodes = std::max(room_.nodes, nodes + nodes / 4);
    room_.bodies = std::max(room_.bodies, bodies + bodies / 4);
    return true;
  }
  const Spare& spare() const { return room_; }

 private:
  Spare room_;
};

/// A guest, which is what came of another rank's tree, among a rank's own nodes and bodies. Node n has
/// words 2 n and 2 n + 1 of the main array.
struct Grafted {
  int cells;
  int firstNode, firstBody;
};

/// Thread c puts cell c of a message where the walk looks for it.
static __global__ void graftKernel(const SentCell* __restrict__ cells,
                                   Grafted guest,
                                   Tree tree,
                                   real2* radii) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= guest.cells) return;
  const SentCell cell = cells[c];
  const int slot = slotOf(2 * guest.firstNode, 0) + cell.slot;
  const bool isNode = cell.bodies == kSentNode;
  links(tree.cells)[slot] = isNode ? 2 * (guest.firstNode + cell.first) : kLeafChild;
  tree.cells.ranges[slot] = {guest.firstBody + cell.first, isNode ? 0 : cell.bodies};
  tree.moments.centres[slot] = cell.centre;
  radii[slot] = cell.radius;
  real4* moments = tree.moments.moments + momentsOf(slot);
  moments[0] = {cell.xx, cell.yy, -(cell.xx + cell.yy), cell.mass};
  moments[1] = cell.rest;
}

/// The nodes above all trees, eight ways each: the first is the node above the rank's own tree, to which
/// its first way leads.
__host__ __device__ constexpr int topNodes(int guests) {
  return guests <= 7 ? 1 : (guests + 6) / 7;
}

/// Thread s links way s of the nodes above all trees: the first lead to the other such nodes, the next
/// to the guests. All are opened, however far away.
/// \param firstTop    the first of those nodes that are not the rank's own
/// \param firstNodes  of each guest; 0: it has no cells
static __global__ void topKernel(const int* firstNodes,
                                 int guests,
                                 int firstTop,
                                 Tree tree,
                                 real2* radii) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  const int tops = topNodes(guests);
  if (s == 0 || s >= 8 * tops) return;
  const auto top = [&](int n) { return n == 0 ? 0 : firstTop + n - 1; };
  int node = 0;
  if (s < tops) node = top(s);
  else if (s - tops < guests) node = firstNodes[s - tops];
  const int slot = slotOf(2 * top(s / 8), s % 8);
  links(tree.cells)[slot] = node == 0 ? kNoChild : 2 * node;
  tree.moments.centres[slot] = {0, 0, 0, 0};
  radii[slot] = {tree::kFar, tree::kFar};
}

/// Levels of nodes below the node above the tree, with guests.
inline int depthWith(int guests) {
  int levels = kKeyLevels + 1;
  for (int node = topNodes(guests) - 1; node > 0; node /= 8) ++levels;
  return levels;
}

/// Behind the room that \p tree has for its own.
inline int firstTop(const Tree& tree) { return 1 + tree.cells.nodeRoom; }

/// Where \p guests go; and after them, of no cells, where one more would.
inline std::vector<Grafted> placesOf(const std::vector<Announced>& guests, const Tree& tree) {
  const int tops = topNodes(static_cast<int>(guests.size()));
  std::vector<Grafted> places = {{0, firstTop(tree) + tops - 1, tree.sorted.count}};
  for (const Announced& guest : guests) {
    Grafted& last = places.back();
    last.cells = guest.cells;
    places.push_back({0, last.firstNode + guest.nodes, last.firstBody + guest.bodies});
  }
  return places;
}

/// Puts the grafting of what came onto \p octree on the suite's stream.
/// \param cells   of each guest, one guest's after the other's
/// \param places  by placesOf()
/// \param roots   scratch
inline void graft(TunedTree& octree,
                  const SentCell* cells,
                  const std::vector<Grafted>& places,
                  DeviceBuffer<int>& roots) {
  constexpr int kBlock = 128;
  const Tree& tree = octree.tree();
  const int guests = static_cast<int>(places.size()) - 1, first = firstTop(tree);
  const std::size_t nodes = places.back().firstNode - first;
  CUDA_CHECK(cudaMemsetAsync(tree.cells.links + 2 * first, 0, 2 * nodes * sizeof(int4), stream()));
  std::vector<int> firstNodes;
  for (int g = 0; g < guests; ++g) {
    const Grafted& guest = places[g];
    firstNodes.push_back(guest.cells > 0 ? guest.firstNode : 0);
    if (guest.cells > 0)
      graftKernel<<<blocksFor(guest.cells, kBlock), kBlock, 0, stream()>>>(
          cells, guest, tree, octree.radii());
    cells += guest.cells;
  }
  copyToDevice(roots.reserve(guests), firstNodes.data(), guests * sizeof(int));
  topKernel<<<blocksFor(8 * topNodes(guests), kBlock), kBlock, 0, stream()>>>(
      roots.data(), guests, first, tree, octree.radii());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
