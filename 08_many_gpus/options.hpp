/// \file
/// The options of step 08.
#pragma once

#include "08_many_gpus/segments.hpp"
#include "base/bad_input.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Ways in which a rank gets the bodies of the other ranks.
enum class Exchange {
  gather,  ///< all bodies before it starts
  ring,  ///< one rank's bodies at a time, while it sums the pulls of those it has
  pairs  ///< the same for half of the ranks; the reactions are sent back
};

struct Options : OptionsOf<Options> {
  static constexpr ForceNeeds kNeeds = {.workspace = true};

  Exchange exchange = Exchange::ring;
  bool ordered = false;
  int ranks = 3;  ///< threads of one process (one_process.cpp); for processes mpirun decides
  bool equalMasses = false;

  /// Returns how many bodies stay together when bodies are distributed.
  int shareUnit(int count) const { return ordered ? segmentOf(count) : 1; }

  std::vector<Option> list() override {
    std::vector<Option> all = exchangeOptions();
    all.push_back(rangeOption("ranks", ranks, "number of ranks; each is a thread", 1, 8));
    return all;
  }

  std::vector<Option> exchangeOptions() {
    return {
        wordOption(
            "exchange",
            exchange,
            "how the GPUs exchange their bodies\n"
            "  gather: all bodies are collected first\n"
            "  ring: they are passed round a ring while forces are computed\n"
            "  pairs: they are passed half way round, and the opposite forces are sent back",
            {{"gather", Exchange::gather}, {"ring", Exchange::ring}, {"pairs", Exchange::pairs}}),
        flagOption("ordered", ordered, "give bitwise identical results for any number of ranks")};
  }

  void resolve(const Workload& work) override {
    equalMasses = work.equalMasses;
    if (ordered && exchange == Exchange::pairs)
      throw BadInput("--ordered: --exchange gather and ring have an order, not pairs");
  }
};

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
