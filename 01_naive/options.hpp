/// \file
/// The options of step 01.
#pragma once

#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::naive {

struct Options : OptionsOf<Options> {
  int block = 0;  ///< threads; 0: chosen for the GPU and the number of bodies

  std::vector<Option> list() override {
    return {rangeOption("block", block, "threads per block", 32, kMaxBlock, 32)};
  }

  void resolve(const Workload& work) override {
    if (block == 0) block = balancedBlock(work.bodies, 1, work.multiprocessors, kMaxBlock);
  }
};

}  // namespace nbody::inline NBODY_PRECISION::naive
