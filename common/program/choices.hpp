/// \file
/// What a step takes where its user asks for nothing: block, bodies per thread, segments of a sum.
#pragma once

#include "cuda/multiprocessors.hpp"
#include "program/parameters.hpp"

namespace nbody {

/// The block that leaves the busiest multiprocessor the fewest bodies; of equals the largest, for
/// its tile is read by the most threads. With N = 16,384 and 132 multiprocessors, blocks of 256
/// would leave half of them idle. \param bodiesPerThread  bodies that a thread works on
inline int balancedBlock(int count, int bodiesPerThread) {
  int best = 0;
  long long fewest = 0;
  for (int block : {512, 256, 128, 64}) {
    const long long rows = static_cast<long long>(block) * bodiesPerThread;
    const long long blocks = (count + rows - 1) / rows;
    const long long busiest = (blocks + multiprocessors() - 1) / multiprocessors() * rows;
    if (best == 0 || busiest < fewest) {
      best = block;
      fewest = busiest;
    }
  }
  return best;
}

/// The largest number of bodies a thread may hold, at most 4, that still leaves every
/// multiprocessor 15 warps: fewer do not cover the latency of the reciprocal square root.
inline int bodiesFor(int count, const Parameters&) {
  constexpr long long kThreads = 480;
  for (int bodies : {4, 2})
    if (count >= bodies * kThreads * multiprocessors()) return bodies;
  return 1;
}

/// `--block`: any multiple of a warp up to the 1,024 that every device allows; by default balanced.
/// \param bodiesPerThread  name of the parameter that says how many bodies a thread holds, if there
/// is one
inline Parameter blockParameter(const std::string& bodiesPerThread = "") {
  constexpr int kWarp = 32;
  constexpr int kMost = 1024;
  std::vector<int> allowed;
  for (int block = kWarp; block <= kMost; block += kWarp) allowed.push_back(block);
  auto choose = [=](int count, const Parameters& others) {
    return balancedBlock(count, bodiesPerThread.empty() ? 1 : others[bodiesPerThread]);
  };
  return {"block", "threads per block", 0, allowed, "a multiple of 32 from 32 to 1024", choose};
}

// The numbers below were swept on an H200; see docs/results.

/// Below this many bodies for each multiprocessor one block a body is enough, and saves clearing
/// the sums.
constexpr int kFewBodies = 16;

inline bool few(int count) { return count < kFewBodies * multiprocessors(); }

/// Bodies a thread: 4 let one load from shared memory serve four interactions; fewer bodies leave
/// fewer to share.
inline int segmentBodies(int count, const Parameters&) {
  constexpr int kMany = 64;  // bodies for each multiprocessor
  if (few(count)) return 1;
  return count < kMany * multiprocessors() ? 2 : 4;
}

/// Sources in each turn of the loop: a short share of them does not fill a long turn.
inline int segmentUnroll(int count, const Parameters&) { return count < 32768 ? 8 : 32; }

/// `--block` where sums are split: 256, or for few bodies, each of which a warp sums, one block a
/// multiprocessor.
inline Parameter segmentBlockParameter() {
  constexpr int kWarp = 32;
  Parameter block = blockParameter();
  block.choose = [](int count, const Parameters&) {
    if (!few(count)) return 256;
    int threads = 64;
    while (static_cast<long long>(threads) * multiprocessors() <
               static_cast<long long>(count) * kWarp &&
           threads < 1024)
      threads *= 2;
    return threads;
  };
  return block;
}

/// `--blocks-per-body`: shares of the sources that different blocks sum.
inline Parameter blocksPerBodyParameter() {
  std::vector<int> allowed;
  for (int blocks = 1; blocks <= 1024; blocks *= 2) allowed.push_back(blocks);
  auto choose = [](int count, const Parameters& others) {
    constexpr long long kThreads =
        65536;  // for each multiprocessor: many rounds, so that all end together
    constexpr int kLeastShare = 256;  // sources: less does not pay for the atomic sums
    constexpr int kMost = 128;
    if (few(count)) return 1;
    const long long wanted = kThreads * multiprocessors() * others["bodies-per-thread"] / count;
    int blocks = 1;
    while (blocks < kMost && 2 * blocks <= wanted && 2 * blocks * kLeastShare <= count) blocks *= 2;
    return blocks;
  };
  return {"blocks-per-body",
          "blocks that share a body's sum",
          0,
          allowed,
          "a power of two from 1 to 1024",
          choose};
}

/// `--threads-per-body`: lanes of a warp that share a body's sum within a block (q of
/// section 31.4.1).
inline Parameter threadsPerBodyParameter() {
  const std::vector<int> allowed = {1, 2, 4, 8, 16, 32};
  auto choose = [](int count, const Parameters& others) {
    constexpr long long kThreads = 480;  // for each multiprocessor: enough warps to cover latency
    long long threads =
        static_cast<long long>(count) * others["blocks-per-body"] / others["bodies-per-thread"];
    int lanes = 1;
    while (lanes < 32 && threads * lanes < kThreads * multiprocessors()) lanes *= 2;
    return lanes;
  };
  return {"threads-per-body",
          "threads of a block that share a body's sum",
          0,
          allowed,
          listed(allowed),
          choose};
}

}  // namespace nbody
