/// \file
/// The octree of step 06, built where it is walked: nothing that the host must know between two
/// kernels, so that a whole step can be one CUDA graph.
#pragma once

#include "cuda/launch.hpp"
#include "tree/groups.cuh"
#include "tree/links.cuh"
#include "tree/memory.cuh"
#include "tree/moments.cuh"

namespace nbody {

/// The tree in device memory, kept from one step to the next.
class DeviceOctree {
 public:
  /// Puts the building of the tree on the suite's stream. Once a call has reserved memory, the next
  /// for as many bodies allocates nothing and asks the device for nothing: a graph can hold it.
  /// \param bodies  x, y, z, mass
  /// \param felt    of each body the length of its acceleration in the step before, or 0; null: 0 for
  ///                all
  /// \param after   called with the name of each part once it is on the stream
  template <class After>
  void build(const DeviceArray<real4>& bodies,
             const DeviceTreeOptions& options,
             const real* felt,
             After after) {
    build(extentOf(bodies, bodies.data(), options), bodies, options, felt, after);
  }

  /// The same where \p bodies are some of those in \p all, whose root they share.
  template <class After>
  void build(const Extent& all,
             const DeviceArray<real4>& bodies,
             const DeviceTreeOptions& options,
             const real* felt,
             After after) {
    sort(all, bodies, options, felt, after);
    const int count = static_cast<int>(bodies.size());
    const int block = blockOf(count, options);
    const unsigned blocks = blocksFor(count + 1, block);
    const unsigned some = most(count, block);
    const auto done = [&](const char* part) {
      CUDA_CHECK(cudaGetLastError());
      after(part);
    };
    beginsKernel<<<blocks, block, 0, stream()>>>(tree_, bodies.data());
    numberCells(tree_, scratch_);
    cellsKernel<<<blocks, block, 0, stream()>>>(tree_);
    done("cells");
    linksKernel<<<some, block, 0, stream()>>>(tree_);
    done("links");
    const int groups = mostGroups(count, options.group);
    groupsKernel<<<most(32LL * groups, block), block, 0, stream()>>>(tree_);
    done("groups");
    leavesKernel<<<some, block, 0, stream()>>>(tree_);
    setNodes();
    done("moments");
  }

  /// Puts the sums over \p bodies on the suite's stream.
  /// \param origin  of the sums; device memory
  Extent extentOf(const DeviceArray<real4>& bodies,
                  const real4* origin,
                  const DeviceTreeOptions& options) {
    const int count = static_cast<int>(bodies.size());
    const int block = blockOf(count, options);
    const int partCount = std::min<int>(kMostParts, most(count, block));
    CellSums* parts = parts_.reserve(kMostParts);
    extentsKernel<<<partCount, block, block * sizeof(CellSums), stream()>>>(
        bodies.data(), count, origin, parts);
    CUDA_CHECK(cudaGetLastError());
    return {parts, partCount};
  }

  /// The first part of build(): keys and order alone.
  template <class After>
  void sort(const Extent& all,
            const DeviceArray<real4>& bodies,
            const DeviceTreeOptions& options,
            const real* felt,
            After after) {
    const int count = static_cast<int>(bodies.size());
    sort_.reserve(count);
    tree_ = memory_.reserve(count, sort_, options, felt);
    const int block = blockOf(count, options);
    keysKernel<<<most(count, block), block, sizeof(CellSums), stream()>>>(bodies.data(),
                                                                          count,
                                                                          all.parts,
                                                                          all.count,
                                                                          sort_.keys.data(),
                                                                          sort_.places.data(),
                                                                          tree_.state);
    CUDA_CHECK(cudaGetLastError());
    after("keys");
    sortKeys(sort_, count);
    after("sort");
  }

  /// Whether the last tree had too many nodes; the next build() will have memory for them. Waits for
  /// the device, where there may be too many.
  bool lackedRoom() {
    if (tree_.nodeRoom >= mostNodes(tree_.count, tree_.leaf)) return false;
    const int wanted = state().nodesWanted;
    if (wanted <= tree_.nodeRoom) return false;
    memory_.wantNodes(wanted);
    return true;
  }

  /// Makes room behind the tree for nodes and bodies of others, \p nodes and \p bodies of them. True:
  /// there was less, and the tree has to be built again.
  bool makeRoom(int nodes, int bodies) { return memory_.wantGuests(nodes, bodies); }

  TreeView view() const {
    return {tree_.links, tree_.centres, tree_.moments, tree_.ranges, tree_.groups};
  }
  const TreeArrays& arrays() const { return tree_; }
  /// Waits for the device.
  TreeState state() const { return memory_.state(); }

 private:
  /// A launch for each level that a node may have: none where all bodies are in one leaf.
  void setNodes() {
    constexpr int kBlock = 128;
    if (tree_.count < tree_.leaf) return;
    const unsigned teams = most(1LL * kTeam * (tree_.count / tree_.leaf), kBlock);
    for (int level = kKeyLevels - 1; level >= 0; --level)
      nodesKernel<<<teams, kBlock, 0, stream()>>>(tree_, level);
  }

  /// Threads: for N = 1 a warp.
  static int blockOf(int count, const DeviceTreeOptions& options) {
    return std::min(options.block, (count / 32 + 1) * 32);
  }

  /// Blocks for \p threads threads that take one piece of work after the other.
  static unsigned most(long long threads, int block) {
    constexpr int kThreadsOfMultiprocessor = 2048;
    const long long blocks = (threads + block - 1) / block;
    return std::min<long long>(blocks, kThreadsOfMultiprocessor / block * multiprocessors());
  }

  TreeArrays tree_ = {};
  TreeMemory memory_;
  KeySort sort_;
  DeviceBuffer<CellSums> parts_{"extents of parts of the bodies"};
  DeviceBuffer<unsigned char> scratch_{"scratch of the prefix sum"};
};

}  // namespace nbody
