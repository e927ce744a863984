/// \file
/// The options of step 07.
#pragma once

#include "driver/defaults.hpp"
#include "tree_options.hpp"

namespace nbody {

/// When a group opens a cell of side l and mass m.
enum class Opening {
  distance,  ///< nearer than l / theta and its offset, as in step 06
  felt  ///< l / theta is longer for a cell that can pull much of what the group felt before
};

struct Options : OptionsOf<Options, TreeOptions> {
  Opening opening = Opening::distance;
  int treeMemory = 0;  ///< MiB for the nodes, to begin with; 0: chosen

  /// Smaller leaves than step 06's: here a cell more costs little to build.
  Options() { leaf = 24; }

  std::vector<Option> list() override {
    std::vector<Option> all = TreeOptions::list();
    for (Option& option : all)
      if (option.name == "group") option.help = "at most so many bodies share a walk";
    all.push_back(wordOption("opening",
                             opening,
                             "what opens a cell: its distance, or how much it can pull besides",
                             {{"distance", Opening::distance}, {"felt", Opening::felt}}));
    all.push_back(
        powerOfTwoOption("tree-memory",
                         treeMemory,
                         "memory for the nodes of the tree, in MiB; it grows where needed",
                         kMaxMemoryMib));
    return all;
  }

  void resolve(const Workload&) override {
    if (treeMemory == 0) treeMemory = quarterOfFreeMemory();
  }
};

}  // namespace nbody
