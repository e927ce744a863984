/// \file
/// The options of step 03.
#pragma once

#include "cuda/real.hpp"
#include "driver/compiled_values.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32, 64>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;

/// Returns the threads of the largest block for which a kernel is compiled. In FP32, more than two
/// bodies in a thread need 128 registers, which only blocks of up to 512 threads have.
constexpr int largestBlock(int bodies) {
  return bodies * sizeof(real) > 2 * sizeof(float) ? kMaxBlock / 2 : kMaxBlock;
}

struct Options : OptionsOf<Options> {
  static constexpr int kBestUnroll = 64;
  int bodiesPerThread = 0;  ///< 0: chosen for the GPU and the number of bodies
  int block = 0;  ///< threads; 0: chosen
  int unroll = kBestUnroll;

  std::vector<Option> list() override {
    return {
        listOption("bodies-per-thread", bodiesPerThread, "bodies per thread", BodyCounts::list()),
        rangeOption("block", block, "threads per block", 32, kMaxBlock, 32),
        listOption("unroll", unroll, "sources per iteration of the loop", Unrolls::list())};
  }

  /// Calls \p use with unroll and bodiesPerThread as compile-time constants.
  template <class Use>
  auto select(Use use) const {
    return nbody::select<Unrolls, BodyCounts>(unroll, bodiesPerThread, use);
  }

  void resolve(const Workload& work) override {
    fitBodiesPerThread(bodiesPerThread, bestBodiesPerThread(work), block, largestBlock);
    if (block == 0)
      block = balancedBlock(work.bodies, bodiesPerThread, work.multiprocessors, kMaxBlock / 2);
  }

  /// Returns the best number on an H200. Two are too many if fewer than 200 threads
  /// per multiprocessor remain. Four take the registers of warps that would hide latency.
  static int bestBodiesPerThread(const Workload& work) {
    return work.bodies >= 2 * 200 * work.multiprocessors ? 2 : 1;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::unrolled
