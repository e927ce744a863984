/// \file
/// Threads that meet and work on the values that all of them bring: what reductions, scans and
/// shuffles over any group, of values of any size, are made of.
#pragma once

#include <cstdint>

#include "executor/threads.hpp"

namespace nbody::executor {

constexpr unsigned kMostMembers = 1024;  ///< a whole block

/// Who meets: lanes of the caller's warp, or, where there are none, `count` threads of the block
/// from rank `first` on.
struct Members {
  unsigned lanes;
  unsigned first, count;
};

inline unsigned laneOfCaller() { return static_cast<unsigned>(currentThread.lane); }
/// The caller's rank in its block, x fastest.
inline unsigned rankInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threadsInBlock() { return blockDim.x * blockDim.y * blockDim.z; }

/// Contribution of one thread to a meeting. The others reach it through its address, because it
/// lies on the stack of a thread that waits.
template <class T, class Work>
struct Contribution {
  T value;
  const Work* work;
  unsigned rank;  ///< in the block
  unsigned expected;
  unsigned arrived = 1;  ///< of the first: how many have come
  Contribution* next = nullptr;

  static Contribution* at(std::uint64_t address) {
    return reinterpret_cast<Contribution*>(address);
  }

  /// For waitForWarp(): the last lane to come works on the values of all, by lane.
  static void gather(const std::uint64_t* addresses, unsigned lanes, std::uint64_t*) {
    T* values[32];
    int count = 0;
    const Work* work = nullptr;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      values[count++] = &at(addresses[lane])->value;
      work = at(addresses[lane])->work;
    }
    (*work)(values, count);
  }

  /// For waitForGroup(): a list of those that have come; the last works on all values, by rank.
  static void fold(std::uint64_t* first, std::uint64_t address) {
    Contribution& head = *at(*first);
    at(address)->next = head.next;
    head.next = at(address);
    if (++head.arrived != head.expected) return;
    T* byRank[kMostMembers] = {};
    for (Contribution* c = &head; c != nullptr; c = c->next) byRank[c->rank] = &c->value;
    int count = 0;
    for (T* value : byRank)
      if (value != nullptr) byRank[count++] = value;
    (*head.work)(byRank, count);
  }
};

/// Waits for all of \p members; work(values, count), of one of them, then changes the values of all,
/// in the order of their ranks. Returns the caller's.
template <class T, class Work>
T meet(Site site, Members members, T value, const Work& work) {
  Contribution<T, Work> own{value, &work, rankInBlock(), members.count};
  const auto address = reinterpret_cast<std::uint64_t>(&own);
  if (members.lanes != 0)
    waitForWarp(site, WarpOperation::gather, members.lanes, address, 0, &own.gather);
  else waitForGroup(members.first, members.count, address, &own.fold, site);
  return own.value;
}

}  // namespace nbody::executor
