/// \file
/// The options of step 08.
#pragma once

#include "07_device_tree/device_tree_options.hpp"
#include "08_many_gpus/segments.hpp"
#include "base/bad_input.hpp"

namespace nbody {

/// How a rank comes by the bodies of the others.
enum class Exchange {
  gather,  ///< all of them before it starts
  ring,  ///< one rank's after the other's, while it sums the pulls of those it has
  pairs,  ///< the same for half of the ranks; the reactions travel back
  tree  ///< the cells and bodies that its own can need
};

/// Whether the ranks are threads of this process (common/ranks/threads/), which mpirun does not start.
inline constexpr bool kOneProcess = NBODY_ONE_PROCESS;

/// Options of step 08. The options of step 07 are for `tree`.
struct Options : OptionsOf<Options, DeviceTreeOptions> {
  static constexpr ForceNeeds kNeeds = {.workspace = true};

  Exchange exchange = Exchange::ring;
  bool ordered = false;
  bool shareGpu = false;
  bool link = false;
  int ranks = 3;  ///< of one process; else it is mpirun that knows
  bool equalMasses = false;
  bool unlisted = false;  ///< the tree's options, once resolve() has found that they do nothing
  std::string treeOption;  ///< the last of them that was given

  bool isTree() const { return exchange == Exchange::tree; }
  /// Bodies that stay together when they are shared out among the ranks.
  int shareUnit(int count) const { return ordered ? segmentOf(count) : 1; }
  /// Whether a rank's bodies are not in the order of all bodies.
  bool reordersBodies() const { return isTree(); }
  /// Whether NCCL gets few thread blocks, so that messages find room next to forces (measured for `ring` alone).
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

  /// The host has to know how much a tree sends: MPI tells it.
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
    equalMasses = kOneProcess && work.equalMasses;  // else found when all ranks have their bodies
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

}  // namespace nbody
