/// \file
/// The options of step 01.
#pragma once

#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody {

/// Threads of the largest block. A kernel that says so, and that one block a multiprocessor will do,
/// is compiled for interactions side by side in up to 64 registers, not for many blocks.
constexpr int kLargestBlock = kMaxBlock;

struct Options : OptionsOf<Options> {
  int block = 0;  ///< threads; 0: chosen

  std::vector<Option> list() override {
    return {rangeOption("block", block, "threads per block", 32, kLargestBlock, 32)};
  }

  void resolve(const Workload& work) override {
    if (block == 0) block = balancedBlock(work.bodies, 1, work.multiprocessors);
  }
};

}  // namespace nbody
