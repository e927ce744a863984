/// \file
/// The trees that came from other ranks, hung onto a rank's own: step 06's walk then walks all as one.
#pragma once

#include "08_many_gpus/let/cut.cuh"

namespace nbody {

/// Counts that a rank tells another before it sends, because only its device knew them.
struct RemoteCounts {
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

/// A remote subtree, which is what came of another rank's tree, among a rank's own nodes and bodies. Node n has
/// words 2 n and 2 n + 1 of the main array.
struct RemotePlacement {
  int cells;
  int firstNode, firstBody;
};

/// Thread c puts cell c of a message where the walk looks for it.
static __global__ void graftKernel(const SentCell* __restrict__ cells,
                                   RemotePlacement remote,
                                   Tree tree,
                                   real2* radii) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= remote.cells) return;
  const SentCell cell = cells[c];
  const int slot = slotOf(2 * remote.firstNode, 0) + cell.slot;
  const bool isNode = cell.bodies == kSentNode;
  links(tree.cells)[slot] = isNode ? 2 * (remote.firstNode + cell.first) : kLeafChild;
  tree.cells.ranges[slot] = {remote.firstBody + cell.first, isNode ? 0 : cell.bodies};
  tree.moments.centres[slot] = cell.centre;
  radii[slot] = cell.radius;
  real4* moments = tree.moments.moments + momentsOf(slot);
  moments[0] = {cell.xx, cell.yy, -(cell.xx + cell.yy), cell.mass};
  moments[1] = cell.rest;
}

/// The nodes above all trees, eight ways each: the first is the node above the rank's own tree, to which
/// its first way leads.
__host__ __device__ constexpr int rootNodes(int remotes) {
  return remotes <= 7 ? 1 : (remotes + 6) / 7;
}

/// Thread s links way s of the nodes above all trees: the first lead to the other such nodes, the next
/// to the remotes. All are opened, however far away.
/// \param firstTop    the first of those nodes that are not the rank's own
/// \param firstNodes  of each remote subtree; 0: it has no cells
static __global__ void topKernel(const int* firstNodes,
                                 int remotes,
                                 int firstTop,
                                 Tree tree,
                                 real2* radii) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  const int tops = rootNodes(remotes);
  if (s == 0 || s >= 8 * tops) return;
  const auto top = [&](int n) { return n == 0 ? 0 : firstTop + n - 1; };
  int node = 0;
  if (s < tops) node = top(s);
  else if (s - tops < remotes) node = firstNodes[s - tops];
  const int slot = slotOf(2 * top(s / 8), s % 8);
  links(tree.cells)[slot] = node == 0 ? kNoChild : 2 * node;
  tree.moments.centres[slot] = {0, 0, 0, 0};
  radii[slot] = {tree::kFar, tree::kFar};
}

/// Levels of nodes below the node above the tree, with remotes.
inline int depthWith(int remotes) {
  int levels = kKeyLevels + 1;
  for (int node = rootNodes(remotes) - 1; node > 0; node /= 8) ++levels;
  return levels;
}

/// Behind the room that \p tree has for its own.
inline int firstTop(const Tree& tree) { return 1 + tree.cells.nodeRoom; }

/// Returns where \p remotes go, and last, without cells, where one more would go.
inline std::vector<RemotePlacement> placesOf(const std::vector<RemoteCounts>& remotes,
                                             const Tree& tree) {
  const int tops = rootNodes(static_cast<int>(remotes.size()));
  std::vector<RemotePlacement> places = {{0, firstTop(tree) + tops - 1, tree.sorted.count}};
  for (const RemoteCounts& remote : remotes) {
    RemotePlacement& last = places.back();
    last.cells = remote.cells;
    places.push_back({0, last.firstNode + remote.nodes, last.firstBody + remote.bodies});
  }
  return places;
}

/// Puts the grafting of what came onto \p octree on the suite's stream.
/// \param cells   of each remote subtree, one remote subtree's after the other's
/// \param places  by placesOf()
/// \param roots   scratch
inline void graft(TunedTree& octree,
                  const SentCell* cells,
                  const std::vector<RemotePlacement>& places,
                  DeviceBuffer<int>& roots) {
  constexpr int kBlock = 128;
  const Tree& tree = octree.tree();
  const int remotes = static_cast<int>(places.size()) - 1, first = firstTop(tree);
  const std::size_t nodes = places.back().firstNode - first;
  CUDA_CHECK(cudaMemsetAsync(tree.cells.links + 2 * first, 0, 2 * nodes * sizeof(int4), stream()));
  std::vector<int> firstNodes;
  for (int g = 0; g < remotes; ++g) {
    const RemotePlacement& remote = places[g];
    firstNodes.push_back(remote.cells > 0 ? remote.firstNode : 0);
    if (remote.cells > 0)
      graftKernel<<<blocksFor(remote.cells, kBlock), kBlock, 0, stream()>>>(
          cells, remote, tree, octree.radii());
    cells += remote.cells;
  }
  copyToDevice(roots.reserve(remotes), firstNodes.data(), remotes * sizeof(int));
  topKernel<<<blocksFor(8 * rootNodes(remotes), kBlock), kBlock, 0, stream()>>>(
      roots.data(), remotes, first, tree, octree.radii());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
