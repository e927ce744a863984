/// \file
/// Options of every step on several ranks.
#pragma once

#include <vector>

#include "driver/step_options.hpp"

namespace nbody {

struct RankOptions {
  bool shareGpu = false;
  bool link = false;

  std::vector<Option> rankOptions() {
    return {flagOption("share-gpu", shareGpu, "allow more ranks than GPUs, for tests"),
            flagOption("link", link, "also time messages from rank to rank")};
  }
};

}  // namespace nbody
