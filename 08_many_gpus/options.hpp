/// \file
/// The options of step 08.
#pragma once

#include "07_device_tree/device_tree_options.hpp"
#include "08_many_gpus/segments.hpp"
#include "base/bad_input.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

using tree::DeviceTreeOptions;
using tree::Opening;

/// Ways in which a rank gets the bodies of the other ranks.
enum class Exchange {
  gather,  ///< all bodies before it starts
  ring,  ///< one rank's bodies at a time, while it sums the pulls of those it has
  pairs,  ///< the same for half of the ranks; the reactions are sent back
  tree  ///< the cells and bodies that its walk may need
};

/// True if the ranks are threads of this process (one_process.cpp), without mpirun.
inline constexpr bool kOneProcess = NBODY_ONE_PROCESS;

/// Options of step 08. Those of step 07 are for `tree`.
struct Options : OptionsOf<Options, DeviceTreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true};

  Exchange exchange = Exchange::ring;
  bool ordered = false;
  bool shareGpu = false;
  bool link = false;
  int ranks = 3;  ///< in one process; otherwise mpirun decides
  bool equalMasses = false;
  bool unlisted = false;  ///< a report leaves out the tree's options; set by resolve()
  std::string treeOption;  ///< the tree's option that was given last

  bool isTree() const { return exchange == Exchange::tree; }
  /// Returns how many bodies stay together when bodies are distributed.
  int shareUnit(int count) const { return ordered ? segmentOf(count) : 1; }
  /// Returns whether a rank's bodies are in another order than the caller's.
  bool reordersBodies() const { return isTree(); }
  /// Returns whether NCCL gets few blocks, so that messages find room. Measured only for `ring`.
  bool fewBlocksForMessages() const { return exchange == Exchange::ring; }

  std::vector<Option> list() override {
    if (kOneProcess) return listOfOneProcess();
    std::vector<Option> all = {
        wordOption(
            "exchange",
            exchange,
            "how the GPUs exchange their bodies\n"
            "  gather: all bodies are collected first\n"
            "  ring: they are passed round a ring while forces are computed\n"
            "  pairs: they are passed half way round, and the opposite forces are sent back\n"
            "  tree: only the parts of the tree that another GPU needs are sent; the options\n"
            "    marked (tree) belong to this exchange",
            {{"gather", Exchange::gather},
             {"ring", Exchange::ring},
             {"pairs", Exchange::pairs},
             {"tree", Exchange::tree}}),
        flagOption("ordered", ordered, "give bitwise identical results for any number of ranks"),
        flagOption("share-gpu", shareGpu, "allow more ranks than GPUs, for tests"),
        flagOption("link", link, "also time messages from rank to rank")};
    if (unlisted) return all;
    for (Option option : DeviceTreeOptions::list()) {
      option.help = "(tree) " + option.help;
      option.read = [this, name = option.name, read = option.read](const std::string& text) {
        treeOption = name;
        return read(text);
      };
      all.push_back(option);
    }
    return all;
  }

  /// Returns options without tree, because its host needs MPI to learn how much is sent.
  std::vector<Option> listOfOneProcess() {
    return {
        wordOption(
            "exchange",
            exchange,
            "how the ranks exchange their bodies",
            {{"gather", Exchange::gather}, {"ring", Exchange::ring}, {"pairs", Exchange::pairs}}),
        flagOption("ordered", ordered, "give bitwise identical results for any number of ranks"),
        rangeOption("ranks", ranks, "number of ranks; each is a thread", 1, 8)};
  }

  void resolve(const Workload& work) override {
    equalMasses = kOneProcess && work.equalMasses;  // or found when all ranks have their bodies
    if (ordered && (exchange == Exchange::pairs || isTree()))
      throw BadInput("--ordered: --exchange gather and ring have an order, not " +
                     std::string(isTree() ? "tree" : "pairs"));
    if (!treeOption.empty() && !isTree())
      throw BadInput("--" + treeOption + ": only --exchange tree has a tree");
    unlisted = !isTree();
    if (isTree()) DeviceTreeOptions::resolve(work);
  }

  ErrorBound errorBound() const override {
    return isTree() ? DeviceTreeOptions::errorBound() : ErrorBound{};
  }
  std::vector<Ablation> ablations() const override {
    return isTree() ? DeviceTreeOptions::ablations() : std::vector<Ablation>{};
  }
};

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
