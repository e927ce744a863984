/// \file
/// The options of step 03.
#pragma once

#include "driver/compiled_values.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody {

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;

/// Threads of the largest block. A kernel that says so, and that one block a multiprocessor will do,
/// is compiled for interactions side by side in up to 128 registers, not for many blocks.
constexpr int kLargestBlock = 512;

struct Options : OptionsOf<Options> {
  int bodiesPerThread = 0;  ///< 0: chosen
  int block = 0;  ///< threads; 0: chosen
  int unroll = 32;

  std::vector<Option> list() override {
    return {
        listOption("bodies-per-thread", bodiesPerThread, "bodies in a thread", BodyCounts::list()),
        rangeOption("block", block, "threads per block", 32, kLargestBlock, 32),
        listOption("unroll", unroll, "sources in each iteration", Unrolls::list())};
  }

  /// What \p use makes of the constants of unroll and bodiesPerThread.
  template <class Use>
  auto select(Use use) const {
    return nbody::select<Unrolls, BodyCounts>(unroll, bodiesPerThread, use);
  }

  void resolve(const Workload& work) override {
    if (bodiesPerThread == 0) bodiesPerThread = bestBodiesPerThread(work);
    if (block == 0) block = balancedBlock(work.bodies, bodiesPerThread, work.multiprocessors);
  }

  /// Swept on an H200: where 4 leave a multiprocessor fewer than 480 threads, or 2 fewer than 260,
  /// waiting costs more than sharing a load saves.
  static int bestBodiesPerThread(const Workload& work) {
    const int each = work.bodies / work.multiprocessors;
    if (each >= 4 * 480) return 4;
    return each >= 2 * 260 ? 2 : 1;
  }
};

}  // namespace nbody
