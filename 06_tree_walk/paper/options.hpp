/// \file
/// The options of 06_lists, the paper's two walks.
#pragma once

#include "06_tree_walk/host/octree.hpp"
#include "06_tree_walk/tree_options.hpp"
#include "driver/defaults.hpp"

namespace nbody::inline NBODY_PRECISION::walk::lists {

struct Options : OptionsOf<Options, TreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .hostWork = true, .phases = true};

  Grouping grouping = Grouping::cells;  ///< the bodies that share a walk
  int block = 0;  ///< threads that evaluate a group's lists; 0: one per body of a full group
  int listMemory = 0;  ///< MiB for stored lists; 0: chosen

  std::vector<Option> list() override {
    std::vector<Option> all = TreeOptions::list();
    all.push_back(wordOption("grouping",
                             grouping,
                             "which bodies walk together\n"
                             "  cells: the bodies of a cell\n"
                             "  runs: equal numbers of bodies, in their order along the curve",
                             {{"cells", Grouping::cells}, {"runs", Grouping::runs}}));
    all.push_back(rangeOption(
        "block", block, "threads per block that sum a group's forces", 32, kMaxBlock, 32));
    all.push_back(powerOfTwoOption(
        "list-memory", listMemory, "memory for interaction lists, in MiB", kMaxMemoryMib));
    return all;
  }

  /// Gives the block one thread per body of a full group.
  void resolve(const Workload&) override {
    if (block == 0)
      block = std::min(kMaxBlock, (group - 1 + kWarpSize - 1) / kWarpSize * kWarpSize);
    if (listMemory == 0) listMemory = quarterOfFreeMemory();
  }
};

}  // namespace nbody::inline NBODY_PRECISION::walk::lists
