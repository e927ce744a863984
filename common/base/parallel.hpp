/// \file
/// A loop over all cores of the host.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace nbody {

/// Returns \p threads, or one per core if it is 0.
inline int threadCount(int threads) {
  return threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

/// Calls body(begin, end) on each of \p threads (0: one per core) with its share of [0, count), of
/// at least \p smallest. When all have ended, throws the exception of the first piece that threw.
template <class Body>
void parallelFor(int count, int smallest, int threads, Body body) {
  int pieces = std::clamp(count / std::max(1, smallest), 1, threadCount(threads));
  auto bound = [=](int piece) {
    return static_cast<int>(static_cast<long long>(count) * piece / pieces);
  };
  std::vector<std::exception_ptr> errors(pieces);
  const auto work = [&](int piece) {
    try {
      Body own = body;
      own(bound(piece), bound(piece + 1));
    } catch (...) {
      errors[piece] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int piece = 1; piece < pieces; ++piece) others.emplace_back(work, piece);
    work(0);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// Calls body(i) for each i of [0, count), with the threads of parallelFor().
template <class Body>
void parallelForEach(int count, int smallest, int threads, Body body) {
  parallelFor(count, smallest, threads, [body](int begin, int end) {
    for (int i = begin; i < end; ++i) body(i);
  });
}

/// Calls it on all cores.
template <class Body>
void parallelForEach(int count, int smallest, Body body) {
  parallelForEach(count, smallest, 0, body);
}

/// Returns whether holds(i) is true for each i of [0, count).
template <class Holds>
bool parallelAllOf(int count, const Holds& holds) {
  std::atomic<bool> all = true;
  parallelFor(count, 65536, 0, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (!holds(i)) {
        all = false;
        return;
      }
  });
  return all;
}

}  // namespace nbody
