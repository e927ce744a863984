/// \file
/// The options of step 03.
#pragma once

#include "cuda/real.hpp"
#include "driver/compiled_pairs.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody {

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32, 64>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;

/// Threads of the largest block for which a kernel is compiled, with \p bodies in a thread. Those of
/// more than two, in FP32, need the registers of 512 threads, 128 each.
constexpr int largestBlock(int bodies) {
  return bodies * sizeof(real) > 2 * sizeof(float) ? kMaxBlock / 2 : kMaxBlock;
}

struct Options : OptionsOf<Options> {
  static constexpr int kBestUnroll = 64;
  int bodiesPerThread = 0;  ///< 0: chosen
  int block = 0;  ///< threads; 0: chosen
  int unroll = kBestUnroll;

  std::vector<Option> list() override {
    return {
        listOption("bodies-per-thread", bodiesPerThread, "bodies per thread", BodyCounts::list()),
        rangeOption("block", block, "threads per block", 32, kMaxBlock, 32),
        listOption("unroll", unroll, "sources per iteration of the loop", Unrolls::list())};
  }

  /// Calls \p use with the constants of unroll and bodiesPerThread.
  template <class Use>
  auto select(Use use) const {
    // Pairs of a submission: any unrolling of one body per thread, else the best unrolling.
    struct Graded {
      constexpr bool operator()(int u, int k) const { return k == 1 || u == kBestUnroll; }
    };
    return nbody::select<Unrolls, BodyCounts>(unroll, bodiesPerThread, use, Graded());
  }

  void resolve(const Workload& work) override {
    fitBodiesPerThread(bodiesPerThread, bestBodiesPerThread(work), block, largestBlock);
    if (block == 0)
      block = balancedBlock(work.bodies, bodiesPerThread, work.multiprocessors, kMaxBlock / 2);
  }

  /// Swept on an H200: where two leave a multiprocessor fewer than 200 threads, that costs more than
  /// a shared load saves. Four take the registers of the warps that would hide their latency.
  static int bestBodiesPerThread(const Workload& work) {
    return work.bodies >= 2 * 200 * work.multiprocessors ? 2 : 1;
  }
};

}  // namespace nbody
