/// \file
/// Attaches other ranks' trees to a rank's own, so that step 06's walk takes them as one.
#pragma once

#include "11_distributed_tree/cut.cuh"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Counts that a rank sends before the data, because the receiver cannot know them.
struct RemoteCounts {
  int cells, nodes, bodies;
};

/// Memory after a rank's own tree for what other ranks send. It only grows.
class RemoteCapacity {
 public:
  /// Makes room for \p nodes nodes and \p bodies bodies. Returns whether there was less, so that
  /// the tree has to be built again.
  bool grow(int nodes, int bodies) {
    if (nodes <= capacity_.nodes && bodies <= capacity_.bodies) return false;
    capacity_.nodes = std::max(capacity_.nodes, nodes + nodes / 4);
    capacity_.bodies = std::max(capacity_.bodies, bodies + bodies / 4);
    return true;
  }
  const Spare& spare() const { return capacity_; }

 private:
  Spare capacity_;
};

/// Place of a remote subtree among a rank's own nodes and bodies. Node n has words 2 n and 2 n + 1
/// of the main array.
struct RemotePlacement {
  int cells;
  int firstNode, firstBody;
};

/// Thread c writes cell c of a message where the walk finds it.
static __global__ void graftKernel(const SentCell* __restrict__ cells,
                                   RemotePlacement remote,
                                   Tree tree,
                                   real2* radii) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= remote.cells) return;
  const SentCell cell = cells[c];
  const int index = childIndex(2 * remote.firstNode, 0) + cell.index;
  const bool isNode = cell.bodies == kSentNode;
  links(tree.cells)[index] = isNode ? 2 * (remote.firstNode + cell.first) : kLeafChild;
  tree.cells.ranges[index] = {remote.firstBody + cell.first, isNode ? 0 : cell.bodies};
  tree.moments.centres[index] = cell.centre;
  radii[index] = cell.radius;
  real4* moments = tree.moments.moments + momentsOf(index);
  moments[0] = {cell.xx, cell.yy, -(cell.xx + cell.yy), cell.mass};
  moments[1] = cell.rest;
}

/// Returns the number of nodes above all trees. Each has eight children. The first is the node
/// above the rank's own tree, which is its first child.
__host__ __device__ constexpr int rootNodes(int remotes) {
  return remotes <= 7 ? 1 : (remotes + 6) / 7;
}

/// Thread s sets child s of the nodes above all trees: first the other such nodes, then the remote
/// subtrees. All are opened at any distance.
/// \param firstTop    first of these nodes that is not the rank's own
/// \param firstNodes  first node of each remote subtree; 0: it has no cells
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
  const int cell = childIndex(2 * top(s / 8), s % 8);
  links(tree.cells)[cell] = node == 0 ? kNoChild : 2 * node;
  tree.moments.centres[cell] = {0, 0, 0, 0};
  radii[cell] = {tree::kFar, tree::kFar};
}

/// Returns the levels of nodes below the node above the tree, including those of remote subtrees.
inline int depthWith(int remotes) {
  int levels = kKeyLevels + 1;
  for (int node = rootNodes(remotes) - 1; node > 0; node /= 8) ++levels;
  return levels;
}

/// Returns the first node after the memory of \p tree for its own nodes.
inline int firstTop(const Tree& tree) { return 1 + tree.cells.nodeCapacity; }

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

/// Queues the grafting of received cells onto \p octree on the suite's stream.
/// \param cells   cells of all remote subtrees, one subtree after the other
/// \param places  from placesOf()
/// \param roots   scratch memory
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

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
