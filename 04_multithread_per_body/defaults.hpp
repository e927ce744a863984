/// \file
/// How step 04 splits the sum of each body, where its user asks for nothing.
#pragma once

#include <algorithm>
#include <numeric>

#include "cuda/launch.hpp"
#include "cuda/real.hpp"
#include "driver/choices.hpp"

namespace nbody {

// The numbers below were swept on an H200; see docs/results.

/// Bodies a thread: 4 let one load from shared memory serve four interactions; fewer bodies leave
/// fewer to share.
inline int segmentBodies(int count, const Parameters&) {
  if (count < 16 * multiprocessors()) return 1;
  return count < 64 * multiprocessors() ? 2 : 4;
}

/// Sources in each turn of the loop: the segment of a tile that a warp sums fills no long turn.
inline int segmentUnroll(int, const Parameters& others) {
  return others["bodies-per-thread"] == 1 ? 8 : 32;
}

/// `--block`: two fit a multiprocessor's registers; eight bodies in FP64, of 150 registers, leave
/// room for no block of 512. Where a warp sums each of few bodies: what gives every multiprocessor
/// one block.
inline Parameter segmentBlockParameter() {
  Parameter block = blockParameter();
  block.choose = [](int count, const Parameters& others) {
    constexpr int kWarp = 32;
    const int held = others["bodies-per-thread"];
    if (held > 1) return held * sizeof(real) > 32 ? 256 : 512;
    int threads = 64;
    while (threads < 512 && threads * multiprocessors() < count * kWarp) threads *= 2;
    return threads;
  };
  return block;
}

/// What the busiest multiprocessor does, in interactions, where each body's sum is split over
/// \p lanes of each of \p blocks blocks.
inline long long modelledCost(int count, const Parameters& chosen, int lanes, int blocks) {
  constexpr int kStart = 8;  // sources summed in the time that a block takes to start and end
  constexpr int kClear = 14500;  // interactions in the 0.9 us that clearing the sums takes
  const int held = chosen["bodies-per-thread"];
  const int block = chosen["block"];
  const int tile = (held < 4 ? 32 / sizeof(real4) : 1) * block;  // loads() of the step
  const long long rows = blocksFor(count, block / lanes * held);
  const long long turns = blocksFor(rows * blocks, multiprocessors());
  // The last tile of a share is filled up with bodies of no mass.
  const int sources = blocksFor(blocksFor(count, blocks), tile) * tile / lanes;
  const long long work = turns * (sources + kStart) * block * held;
  // Where a block is alone, nothing runs while it waits at a barrier: 8%. Many lanes read as many
  // sources at once, in several accesses to shared memory: 32 lanes cost 4%.
  const long long percent = 100 + (turns == 1 ? 8 : 0) + lanes / 8;
  return work * percent / 100 + (blocks > 1 ? kClear : 0);
}

/// The number of blocks that keeps the busiest multiprocessor's work least.
inline int bestBlocks(int count, const Parameters& chosen, int lanes) {
  constexpr int kMax = 128;
  int best = 1;
  for (int blocks = 2; blocks <= std::min(kMax, count / 256); ++blocks)
    if (modelledCost(count, chosen, lanes, blocks) < modelledCost(count, chosen, lanes, best)) best = blocks;
  return best;
}

/// `--threads-per-body`: lanes of a warp that share a body's sum within a block (q of
/// section 31.4.1).
inline Parameter threadsPerBodyParameter() {
  const std::vector<int> allowed = {1, 2, 4, 8, 16, 32};
  auto choose = [=](int count, const Parameters& others) {
    return *std::min_element(allowed.begin(), allowed.end(), [&](int one, int other) {
      return modelledCost(count, others, one, bestBlocks(count, others, one)) <
             modelledCost(count, others, other, bestBlocks(count, others, other));
    });
  };
  return {"threads-per-body",
          "threads of a block that share a body's sum",
          0,
          allowed,
          listed(allowed),
          choose};
}

/// `--blocks-per-body`: blocks that sum a share of the sources each.
inline Parameter blocksPerBodyParameter() {
  constexpr int kMax = 1024;
  std::vector<int> allowed(kMax);
  std::iota(allowed.begin(), allowed.end(), 1);
  auto choose = [](int count, const Parameters& others) {
    return bestBlocks(count, others, others["threads-per-body"]);
  };
  return {
      "blocks-per-body", "blocks that share a body's sum", 0, allowed, "from 1 to 1024", choose};
}

}  // namespace nbody
