/// \file
/// The options of step 06 and of its host baseline.
#pragma once

#include <optional>

#include "driver/defaults.hpp"
#include "host/octree.hpp"
#include "tree_options.hpp"

namespace nbody {

enum class Walk { fused, lists };

struct HostTreeOptions : OptionsOf<HostTreeOptions, TreeOptions> {};

struct Options : OptionsOf<Options, TreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true, .hostWork = true, .phases = true};

  Walk walk = Walk::fused;
  std::optional<Grouping> grouping;  ///< of bodies that share a walk; nothing: chosen
  int block = 0;  ///< threads that evaluate a group's lists; 0: chosen
  int listMemory = 0;  ///< MiB for stored lists; 0: chosen

  std::vector<Option> list() override {
    std::vector<Option> all = TreeOptions::list();
    all.insert(all.begin(),
               wordOption("walk",
                          walk,
                          "when the forces are computed\n"
                          "  fused: during the walk\n"
                          "  lists: after the walk, from stored interaction lists",
                          {{"fused", Walk::fused}, {"lists", Walk::lists}}));
    all.push_back(wordOption("grouping",
                             grouping,
                             "which bodies walk together\n"
                             "  runs: equal numbers of bodies, in their order along the curve\n"
                             "  cells: the bodies of a cell",
                             {{"runs", Grouping::runs}, {"cells", Grouping::cells}}));
    all.push_back(
        rangeOption("block", block, "threads per block with --walk lists", 32, kMaxBlock, 32));
    all.push_back(
        powerOfTwoOption("list-memory", listMemory, "MiB for --walk lists", kMaxMemoryMib));
    return all;
  }

  /// The grouping is the one the walk is best with: a warp has two bodies in each lane, and cells
  /// of fewer than 64 bodies would fill a third of them. The block has a thread for each body that
  /// a group may have.
  void resolve(const Workload&) override {
    if (!grouping) grouping = walk == Walk::fused ? Grouping::runs : Grouping::cells;
    if (block == 0)
      block = std::min(kMaxBlock, (group - 1 + kWarpSize - 1) / kWarpSize * kWarpSize);
    if (listMemory == 0) listMemory = quarterOfFreeMemory();
  }
};

}  // namespace nbody
