/// \file
/// How step 04 splits each body's sum over lanes and blocks: its options, and their defaults. The
/// numbers were swept on an H200; see docs/results.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/launch.hpp"
#include "cuda/real.hpp"
#include "driver/compiled_pairs.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody {

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;

constexpr bool kTuned = NBODY_TUNED;  ///< compiled for tuned.cu

/// Threads of the largest block for which a kernel is compiled, with \p bodies in a thread. Those of
/// more than two, in FP32, and the tuned need the registers of 512 threads, 128 each.
constexpr int largestBlock(int bodies) {
  return kTuned || bodies * sizeof(real) > 2 * sizeof(float) ? kMaxBlock / 2 : kMaxBlock;
}

/// Sources that each thread brings to a tile: tuned, in FP32, two.
constexpr int kSourcesPerThread = kTuned ? 32 / sizeof(real4) : 1;

/// Blocks that share a body's sum, at most.
constexpr int kMostBlocks = 128;

/// Options of a step that sums with the kernel of step 04.
struct SplitOptions : OptionsOf<SplitOptions> {
  // 0: chosen
  int bodiesPerThread = 0;
  int block = 0;  ///< threads
  int threadsPerBody = 0;  ///< lanes of a warp that share a body's sum (q of section 31.4.1)
  int blocksPerBody = 0;  ///< blocks that sum a chunk of the sources each
  int unroll = 0;

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

  /// Calls \p use with the constants of unroll and bodiesPerThread.
  template <class Use>
  auto select(Use use) const {
    // Pairs of a submission: any unrolling of two bodies per thread, else the best unrolling.
    struct Graded {
      constexpr bool operator()(int u, int k) const { return k == 2 || u == bestUnroll(k); }
    };
    return nbody::select<Unrolls, BodyCounts>(unroll, bodiesPerThread, use, Graded());
  }

  void resolve(const Workload& work) override {
    fitBodiesPerThread(bodiesPerThread, bestBodiesPerThread(work), block, largestBlock);
    if (block == 0) block = bestBlock(work);
    if (threadsPerBody == 0) threadsPerBody = bestThreadsPerBody(work);
    if (blocksPerBody == 0) blocksPerBody = bestBlocks(work, threadsPerBody);
    if (unroll == 0) unroll = bestUnroll(bodiesPerThread);
  }

  /// 4 let one load from shared memory serve four interactions; fewer bodies leave fewer to share.
  static int bestBodiesPerThread(const Workload& work) {
    if (work.bodies >= 48 * work.multiprocessors) return 4;
    return kTuned && work.bodies < 12 * work.multiprocessors ? 1 : 2;
  }

  /// If a warp may sum each body (few bodies): the block that gives every multiprocessor one.
  int bestBlock(const Workload& work) const {
    if (bodiesPerThread > 2) return 256;
    if (bodiesPerThread == 2 && !kTuned) return 128;
    const int threads = work.bodies * kWarpSize / bodiesPerThread / work.multiprocessors;
    return threads > 256 ? 512 : threads > 128 ? 256 : threads > 64 ? 128 : 64;
  }

  /// The part of a tile that is a lane's, where many share a body, fills no longer an iteration.
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

  /// The number of blocks for which the busiest multiprocessor has the least work.
  int bestBlocks(const Workload& work, int lanes) const {
    constexpr int kFewestSources = 64;  // of a chunk
    int best = 1;
    for (int blocks = 2; blocks <= std::min(kMostBlocks, work.bodies / kFewestSources); ++blocks)
      if (modelledCost(work, lanes, blocks) < modelledCost(work, lanes, best)) best = blocks;
    return best;
  }

  /// Models the work of the busiest multiprocessor, in interactions, if each body's sum is split
  /// over \p lanes lanes of each of \p blocks blocks.
  long long modelledCost(const Workload& work, int lanes, int blocks) const {
    constexpr int kStart = 8;  // sources summed in the time that a block takes to start and end
    constexpr int kClear = 14500;  // interactions in the time that clearing the sums takes
    constexpr int kBusy =
        512;  // threads that leave a multiprocessor's schedulers little to wait for
    const int tile = kSourcesPerThread * block;
    const long long rows = blocksFor(work.bodies, block / lanes * bodiesPerThread);
    const long long waves = blocksFor(rows * blocks, work.multiprocessors);
    // The last tile of a chunk is filled up with bodies of no mass.
    const int sources = blocksFor(blocksFor(work.bodies, blocks), tile) * tile / lanes;
    const long long interactions = waves * (sources + kStart) * block * bodiesPerThread;
    // Many lanes read as many sources at once, in several accesses to shared memory: 32 cost 4%.
    const long long percent = 100 + (waves * block < kBusy ? 8 : 0) + lanes / 8;
    return interactions * percent / 100 + (!kTuned || blocks > 1 ? kClear : 0);
  }
};

}  // namespace nbody
