/// \file
/// The options of step 08.
#pragma once

#include "base/bad_input.hpp"
#include "driver/step_options.hpp"

namespace nbody {

/// How a rank comes by the bodies of the others.
enum class Exchange {
  gather,  ///< all of them before it starts
  ring,  ///< one rank's after the other's, while it sums the pulls of those it has
  pairs  ///< the same for half of the ranks; the reactions travel back
};

struct Options : OptionsOf<Options> {
  Exchange exchange = Exchange::ring;
  bool ordered = false;
  bool shareGpu = false;
  bool link = false;
  bool equalMasses = false;  ///< found by resolve()

  std::vector<Option> list() override {
    return {
        wordOption(
            "exchange",
            exchange,
            "how a GPU comes by the others' bodies",
            {{"gather", Exchange::gather}, {"ring", Exchange::ring}, {"pairs", Exchange::pairs}}),
        flagOption("ordered", ordered, "the same bits for any number of ranks"),
        flagOption("share-gpu", shareGpu, "more ranks than GPUs: for tests"),
        flagOption("link", link, "times messages from rank to rank too")};
  }

  void resolve(const Workload& work) override {
    if (ordered && exchange == Exchange::pairs)
      throw BadInput("--ordered: --exchange gather and ring have an order, not pairs");
    equalMasses = work.equalMasses;
  }
};

}  // namespace nbody
