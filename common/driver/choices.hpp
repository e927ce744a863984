/// \file
/// What a step takes where its user asks for nothing: block, bodies per thread, segments of a sum.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/device_array.hpp"
#include "cuda/multiprocessors.hpp"
#include "driver/parameters.hpp"

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

/// Bodies a thread, swept on an H200: where 4 leave a multiprocessor fewer than 480 threads, or 2
/// fewer than 260, waiting costs more than sharing a load saves.
inline int bodiesFor(int count, const Parameters&) {
  const long long each = count / multiprocessors();
  if (each >= 4 * 480) return 4;
  return each >= 2 * 260 ? 2 : 1;
}

/// `--block`: any multiple of a warp up to the 1,024 that every device allows; by default balanced.
/// \param bodiesPerThread  name of the parameter that says how many bodies a thread holds, if there
/// is one
inline Parameter blockParameter(const std::string& bodiesPerThread = "") {
  constexpr int kWarp = 32;
  constexpr int kMax = 1024;
  std::vector<int> allowed;
  for (int block = kWarp; block <= kMax; block += kWarp) allowed.push_back(block);
  auto choose = [=](int count, const Parameters& others) {
    return balancedBlock(count, bodiesPerThread.empty() ? 1 : others[bodiesPerThread]);
  };
  return {"block", "threads per block", 0, allowed, "a multiple of 32 from 32 to 1024", choose};
}

/// A budget of device memory in MiB; by default a quarter of what is free.
inline Parameter memoryParameter(const char* name, const char* help) {
  constexpr int kMax = 65536;
  std::vector<int> allowed;
  for (int mib = 1; mib <= kMax; mib *= 2) allowed.push_back(mib);
  auto choose = [](int, const Parameters&) {
    return static_cast<int>(
        std::bit_floor(std::clamp<std::size_t>(freeDeviceBytes() >> 22, 1, kMax)));
  };
  return {name, help, 0, allowed, "a power of two from 1 to 65536", choose};
}

}  // namespace nbody
