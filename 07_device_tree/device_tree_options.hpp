/// \file
/// The options of a tree that is built on the device, wherever it is walked.
#pragma once

#include "driver/defaults.hpp"
#include "tree_options.hpp"

namespace nbody {

/// When a group opens a cell of side l and mass m.
enum class Opening {
  distance,  ///< nearer than l / theta and its offset, as in step 06
  felt  ///< a small cell may be nearer if it can pull only little of what the group felt before
};

struct DeviceTreeOptions : TreeOptions {
  /// Of the kernels that build the tree: a block of them keeps 128 bytes a thread in shared memory.
  static constexpr int kMaxBlock = 256;

  Opening opening = Opening::felt;
  int block = 0;  ///< threads of the kernels that build the tree; 0: chosen
  int treeMemory = 0;  ///< MiB for the nodes, to begin with; 0: chosen

  /// Smaller leaves than step 06's: here a cell more costs little to build.
  DeviceTreeOptions() { leaf = 24; }

  std::vector<Option> list() override {
    std::vector<Option> all = TreeOptions::list();
    for (Option& option : all)
      if (option.name == "group")
        option.help =
            "largest number of bodies in a group\n"
            "  the bodies of a group walk the tree together";
    all.push_back(wordOption(
        "opening",
        opening,
        "when a cell is opened into its parts\n"
        "  distance: if it is close for its size\n"
        "  felt: if its pull is large compared with the acceleration of the group in the\n"
        "    previous time step",
        {{"distance", Opening::distance}, {"felt", Opening::felt}}));
    all.push_back(
        rangeOption("block", block, "block size for building the tree", 32, kMaxBlock, 32));
    all.push_back(powerOfTwoOption("tree-memory",
                                   treeMemory,
                                   "memory for the tree, in MiB\n"
                                   "  it is allocated at the start",
                                   kMaxMemoryMib));
    return all;
  }

  /// Step 06's, with cells opened by their distance; the rule of this step comes last.
  std::vector<Ablation> ablations() const override {
    const std::unique_ptr<StepOptions> copy = clone();
    auto& byDistance = dynamic_cast<DeviceTreeOptions&>(*copy);
    byDistance.opening = Opening::distance;
    std::vector<Ablation> all = byDistance.TreeOptions::ablations();
    if (opening == Opening::felt) all.push_back({"with --opening felt", clone()});
    return all;
  }

  void resolve(const Workload&) override {
    if (block == 0) block = kMaxBlock;
    if (treeMemory == 0) treeMemory = quarterOfFreeMemory();
  }
};

}  // namespace nbody
