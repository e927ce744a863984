/// \file
/// The options with which step 04 splits each body's sum over lanes and blocks, and their defaults.
/// The numbers come from sweeps on an H200 (docs/results).
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/launch.hpp"
#include "cuda/real.hpp"
#include "driver/compiled_values.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::multithread {

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;

/// Largest number of blocks that share a body's sum.
constexpr int kMostBlocks = 128;

/// Options of a step that uses a kernel of step 04.
/// \tparam kTuned  the kernel of tuned.cuh, not that of forces.cu
template <bool kTuned>
struct SplitOptions : OptionsOf<SplitOptions<kTuned>> {
  /// Sources that each thread loads for a tile: two in FP32 if tuned, else one.
  static constexpr int kSourcesPerThread = kTuned ? 32 / sizeof(real4) : 1;

  // 0: chosen
  int bodiesPerThread = 0;
  int block = 0;  ///< threads
  int threadsPerBody = 0;  ///< lanes of a warp that share a body's sum (q of section 31.4.1)
  int blocksPerBody = 0;  ///< blocks that share a body's sum; each sums a chunk of the sources
  int unroll = 0;

  /// Returns the threads of the largest block for which a kernel is compiled. In FP32, more than
  /// two bodies in a thread and the tuned kernel need 128 registers, so only 512 threads.
  static constexpr int largestBlock(int bodies) {
    return kTuned || bodies * sizeof(real) > 2 * sizeof(float) ? kMaxBlock / 2 : kMaxBlock;
  }

  std::vector<Option> list() override {
    return {
        listOption("bodies-per-thread", bodiesPerThread, "bodies per thread", BodyCounts::list()),
        rangeOption("block", block, "threads per block", 32, largestBlock(1), 32),
        listOption("threads-per-body",
                   threadsPerBody,
                   "threads of a warp that share the sum of one body",
                   {1, 2, 4, 8, 16, 32}),
        rangeOption("blocks-per-body",
                    blocksPerBody,
                    "blocks that share the sum of one body",
                    1,
                    kMostBlocks),
        listOption("unroll", unroll, "sources per iteration of the loop", Unrolls::list())};
  }

  /// Calls \p use with unroll and bodiesPerThread as compile-time constants.
  template <class Use>
  auto select(Use use) const {
    return nbody::select<Unrolls, BodyCounts>(unroll, bodiesPerThread, use);
  }

  void resolve(const Workload& work) override {
    fitBodiesPerThread(bodiesPerThread, bestBodiesPerThread(work), block, largestBlock);
    if (block == 0) block = bestBlock(work);
    if (threadsPerBody == 0) threadsPerBody = bestThreadsPerBody(work);
    if (blocksPerBody == 0) blocksPerBody = bestBlocks(work, threadsPerBody);
    if (unroll == 0) unroll = bestUnroll(bodiesPerThread);
  }

  /// Returns 4, so that one shared load serves four interactions, or fewer for few bodies.
  static int bestBodiesPerThread(const Workload& work) {
    if (work.bodies >= 48 * work.multiprocessors) return 4;
    return kTuned && work.bodies < 12 * work.multiprocessors ? 1 : 2;
  }

  /// Returns the block that gives every multiprocessor one block, if a warp may sum each body.
  int bestBlock(const Workload& work) const {
    if (bodiesPerThread > 2) return 256;
    if (bodiesPerThread == 2 && !kTuned) return 128;
    const int threads = work.bodies * kWarpSize / bodiesPerThread / work.multiprocessors;
    return threads > 256 ? 512 : threads > 128 ? 256 : threads > 64 ? 128 : 64;
  }

  /// Returns a short loop for few bodies per thread, because many lanes then share a body.
  static constexpr int bestUnroll(int bodies) {
    if (bodies > 2) return kTuned ? 32 : 16;
    return bodies == 2 || kTuned ? 16 : 8;
  }

  int bestThreadsPerBody(const Workload& work) const {
    const std::vector<int> lanes = {1, 2, 4, 8, 16, 32};
    const auto cost = [&](int q) { return modelledCost(work, q, bestBlocks(work, q)); };
    return *std::min_element(
        lanes.begin(), lanes.end(), [&](int one, int other) { return cost(one) < cost(other); });
  }

  /// Returns the number of blocks for which the busiest multiprocessor has the least work.
  int bestBlocks(const Workload& work, int lanes) const {
    constexpr int kFewestSources = 64;  // in a chunk
    int best = 1;
    for (int blocks = 2; blocks <= std::min(kMostBlocks, work.bodies / kFewestSources); ++blocks)
      if (modelledCost(work, lanes, blocks) < modelledCost(work, lanes, best)) best = blocks;
    return best;
  }

  /// Returns the modelled work of the busiest multiprocessor, in interactions, if each body's sum
  /// is split over \p lanes lanes of \p blocks blocks.
  long long modelledCost(const Workload& work, int lanes, int blocks) const {
    constexpr int kStart = 8;  // sources summed in the time that a block needs to start and end
    constexpr int kClear = 14500;  // interactions in the time that clearing the sums takes
    constexpr int kBusy = 512;  // threads with which a multiprocessor rarely waits
    const int tile = kSourcesPerThread * block;
    const long long rows = blocksFor(work.bodies, block / lanes * bodiesPerThread);
    const long long waves = blocksFor(rows * blocks, work.multiprocessors);
    // The last tile of a chunk is filled up with bodies without mass.
    const int sources = blocksFor(blocksFor(work.bodies, blocks), tile) * tile / lanes;
    const long long interactions = waves * (sources + kStart) * block * bodiesPerThread;
    // Many lanes read different sources at once, in several accesses to shared memory: 32 cost 4%.
    const long long percent = 100 + (waves * block < kBusy ? 8 : 0) + lanes / 8;
    return interactions * percent / 100 + (!kTuned || blocks > 1 ? kClear : 0);
  }
};

}  // namespace nbody::inline NBODY_PRECISION::multithread
