/// \file
/// Options of a tree that is built on the device.
#pragma once

#include "06_tree_walk/tree_options.hpp"
#include "driver/defaults.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

using walk::TreeOptions;

struct BuildOptions : TreeOptions {
  /// A block keeps up to 128 bytes per thread in shared memory.
  static constexpr int kMaxBlock = 256;

  int block = 0;  ///< threads per block of the kernels that build the tree; 0: chosen
  int treeMemory = 0;  ///< MiB for the nodes at the start; 0: chosen

  /// Sets smaller leaves than in step 06, because a cell costs less to build here.
  BuildOptions() { leaf = 24; }

  std::vector<Option> list() override {
    std::vector<Option> all = TreeOptions::list();
    for (Option& option : all)
      if (option.name == "group")
        option.help =
            "largest number of bodies in a group\n"
            "  the bodies of a group walk the tree together";
    all.push_back(
        rangeOption("block", block, "block size for building the tree", 32, kMaxBlock, 32));
    all.push_back(powerOfTwoOption("tree-memory",
                                   treeMemory,
                                   "memory for the tree, in MiB\n"
                                   "  it is allocated at the start",
                                   kMaxMemoryMib));
    return all;
  }

  void resolve(const Workload&) override {
    if (block == 0) block = kMaxBlock;
    if (treeMemory == 0) treeMemory = quarterOfFreeMemory();
  }
};

}  // namespace nbody::inline NBODY_PRECISION::tree
