/// \file
/// The interaction lists of all groups, in as many batches as the memory needs.
#pragma once

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "06_tree_walk/paper/list_walk.cuh"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

class InteractionLists {
 public:
  /// Runs the first walk and the prefix sum of its counts.
  /// \param capacity  of a thread's stack; stackFor() the tree's depth is always enough
  void count(const TreeView& tree, int groups, int capacity) {
    groups_ = groups;
    capacity_ = capacity;
    // The element past the last stays 0, so its prefix sum is the total.
    fillDevice(begins_.reserve(groups + 1), 0, (groups + 1) * sizeof(ListSizes));
    walk<false>(tree, 0, groups, {});
    sumBefore(groups + 1);
  }

  /// Returns the first group of each batch whose lists fit \p bytes, and last the number of groups.
  /// A single group may need more.
  std::vector<int> batches(std::size_t bytes) const {
    const ListSizes all = begins_.download(groups_, 1)[0];
    if (bytesOf({0, 0}, all) <= bytes) return {0, groups_};
    const std::vector<ListSizes> begins = begins_.download(0, groups_ + 1);
    std::vector<int> cuts = {0};
    for (int g = 1; g < groups_; ++g)
      if (bytesOf(begins[cuts.back()], begins[g + 1]) > bytes) cuts.push_back(g);
    cuts.push_back(groups_);
    return cuts;
  }

  /// Runs the second walk, for groups \p first to \p last - 1. Throws if it finds other cells than
  /// the first walk counted, because the lists would have gaps.
  Lists write(const TreeView& tree, int first, int last) {
    const ListSizes begin = begins_.download(first, 1)[0];
    const ListSizes end = begins_.download(last, 1)[0];
    const Lists lists = {begins_.data(),
                         begin,
                         nodes_.reserve(end.nodes - begin.nodes),
                         leaves_.reserve(end.leaves - begin.leaves)};
    walk<true>(tree, first, last, lists);
    return lists;
  }

  /// Returns the node list and the leaf list that write() left for groups \p first to \p last - 1.
  std::pair<std::vector<int>, std::vector<int>> download(int first, int last) const {
    const ListSizes begin = begins_.download(first, 1)[0];
    const ListSizes end = begins_.download(last, 1)[0];
    return {nodes_.download(0, end.nodes - begin.nodes),
            leaves_.download(0, end.leaves - begin.leaves)};
  }

 private:
  /// Replaces each of the first \p count sizes by the sum of the earlier ones.
  void sumBefore(int count) {
    ListSizes* data = begins_.data();
    std::size_t bytes = 0;
    const auto scan = [&](void* storage) {
      CUDA_CHECK(cub::DeviceScan::ExclusiveScan(
          storage, bytes, data, data, Plus(), ListSizes{}, count, stream()));
    };
    scan(nullptr);  // returns only the number of bytes
    scan(scratch_.reserve(bytes));
  }

  static std::size_t bytesOf(const ListSizes& begin, const ListSizes& end) {
    return (end.nodes - begin.nodes + end.leaves - begin.leaves) * sizeof(int);
  }

  template <bool kWrite>
  void walk(const TreeView& tree, int first, int last, const Lists& lists) {
    fillDevice(faults_.reserve(1), 0, sizeof(WalkFaults));
    const unsigned blocks = blocksFor(last - first, kListWalkBlock);
    const std::size_t bytes = capacity_ * kListWalkBlock * sizeof(int);
    walkKernel<kWrite><<<blocks, kListWalkBlock, bytes, stream()>>>(
        tree, first, last, capacity_, begins_.data(), lists, faults_.data());
    CUDA_CHECK(cudaGetLastError());
    requireNone(faults_.download(0, 1)[0]);
  }

  void requireNone(const WalkFaults& faults) const {
    requireNoFullStack(faults.fullStack, capacity_);
    if (faults.moreCells > 0 || faults.fewerCells > 0)
      throw std::runtime_error(
          "the second walk of group " +
          std::to_string(std::max(faults.moreCells, faults.fewerCells) - 1) + " found " +
          (faults.moreCells > faults.fewerCells ? "more" : "fewer") +
          " cells than the first walk counted: both walks must open the same cells");
  }

  int groups_ = 0;
  int capacity_ = 0;
  DeviceBuffer<ListSizes> begins_{"first entries of the lists"};
  DeviceBuffer<int> nodes_{"the node lists"};
  DeviceBuffer<int> leaves_{"the leaf lists"};
  DeviceBuffer<WalkFaults> faults_{"walk errors"};
  DeviceBuffer<unsigned char> scratch_{"scratch of the prefix sum"};
};

}  // namespace nbody::inline NBODY_PRECISION::walk
