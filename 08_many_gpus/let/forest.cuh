/// \file
/// The trees that came from other ranks, as one that step 06's walk can walk.
#pragma once

#include "let/cut.cuh"

namespace nbody {

/// A forest's arrays; TreeView says what they hold. Node n has words 2 n and 2 n + 1 of the main array.
struct ForestArrays {
  int4* links;
  real4* centres;
  real4* moments;
  int2* ranges;
  real2* reaches;
};

/// A rank's tree among those of the others.
struct Grafted {
  int cells;
  int firstNode, firstBody;  ///< in the forest, of the message's own
};

/// Thread c puts cell c of a message where the walk looks for it.
static __global__ void graftKernel(const SentCell* __restrict__ cells,
                                   Grafted tree,
                                   ForestArrays forest) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= tree.cells) return;
  const SentCell cell = cells[c];
  const int slot = slotOf(2 * tree.firstNode, 0) + cell.slot;
  const bool isNode = cell.bodies == kSentNode;
  reinterpret_cast<int*>(forest.links)[slot] =
      isNode ? 2 * (tree.firstNode + cell.first) : kLeafChild;
  forest.ranges[slot] = {tree.firstBody + cell.first, isNode ? 0 : cell.bodies};
  forest.centres[slot] = cell.centre;
  forest.reaches[slot] = cell.reach;
  real4* moments = forest.moments + momentsOf(slot);
  moments[0] = {cell.xx, cell.yy, -(cell.xx + cell.yy), cell.mass};
  moments[1] = cell.rest;
}

/// The nodes above all trees, eight ways each.
__host__ __device__ constexpr int topNodes(int trees) { return trees <= 8 ? 1 : (trees + 5) / 7; }

/// Thread s links slot s of the nodes above all trees: the first lead to the other such nodes, the next
/// to the trees. All are opened, however far away.
/// \param firstNodes  of each tree; 0: it has no cells
static __global__ void topKernel(const int* firstNodes, int trees, ForestArrays forest) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  const int tops = topNodes(trees);
  if (s >= 8 * tops) return;
  const int tree = s - (tops - 1);
  int node = 0;
  if (tree < 0) node = s + 1;
  else if (tree < trees) node = firstNodes[tree];
  reinterpret_cast<int*>(forest.links)[s] = node == 0 ? kNoChild : 2 * node;
  forest.centres[s] = {0, 0, 0, 0};
  forest.reaches[s] = {kFar, kFar};
}

/// Memory for them, kept from one evaluation to the next.
class Forest {
 public:
  /// Makes room for so many nodes, with those above all trees, and bodies; none is linked.
  void clear(int nodes, int bodies, cudaStream_t on) {
    const std::size_t all = nodes;
    arrays_ = {links_.reserve(2 * all),
               centres_.reserve(8 * all),
               moments_.reserve(16 * all),
               ranges_.reserve(8 * all),
               reaches_.reserve(8 * all)};
    bodies_.reserve(bodies);
    CUDA_CHECK(cudaMemsetAsync(arrays_.links, 0, 2 * all * sizeof(int4), on));
  }

  /// \param cells  of each tree, one tree's after the other's
  void graft(const SentCell* cells, const std::vector<Grafted>& trees, cudaStream_t on) {
    constexpr int kBlock = 128;
    std::vector<int> firstNodes;
    for (const Grafted& tree : trees) {
      firstNodes.push_back(tree.cells > 0 ? tree.firstNode : 0);
      if (tree.cells > 0)
        graftKernel<<<blocksFor(tree.cells, kBlock), kBlock, 0, on>>>(cells, tree, arrays_);
      cells += tree.cells;
    }
    const int count = static_cast<int>(trees.size());
    int* roots = roots_.reserve(count);
    CUDA_CHECK(
        cudaMemcpyAsync(roots, firstNodes.data(), count * sizeof(int), cudaMemcpyHostToDevice, on));
    topKernel<<<blocksFor(8 * topNodes(count), kBlock), kBlock, 0, on>>>(roots, count, arrays_);
    CUDA_CHECK(cudaGetLastError());
  }

  TreeView view(const GroupBox* groups) const {
    return {arrays_.links, arrays_.centres, arrays_.moments, arrays_.ranges, groups};
  }
  const real2* reaches() const { return arrays_.reaches; }
  real4* bodies() { return bodies_.data(); }

  /// Levels of a forest of \p trees: of the nodes above, and of a tree with the node above it.
  static int depth(int trees) {
    int levels = kKeyLevels + 1;
    for (int node = topNodes(trees) - 1; node > 0; node = (node - 1) / 8) ++levels;
    return levels + 1;
  }

 private:
  ForestArrays arrays_ = {};
  DeviceBuffer<int> roots_{"nodes above the trees of other ranks"};
  DeviceBuffer<int4> links_{"the forest's main array"};
  DeviceBuffer<real4> centres_{"centres of mass of other ranks' cells"};
  DeviceBuffer<real4> moments_{"moments of other ranks' cells"};
  DeviceBuffer<real4> bodies_{"bodies of other ranks"};
  DeviceBuffer<int2> ranges_{"bodies of other ranks' cells"};
  DeviceBuffer<real2> reaches_{"how near other ranks' cells are opened"};
};

}  // namespace nbody
