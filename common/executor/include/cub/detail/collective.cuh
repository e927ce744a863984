/// \file
/// What CUB's functions for blocks and warps have in common.
///
/// They exchange values by meeting, not by way of their temporary storage. But each thread writes
/// its place there before and reads a neighbour's after, so that the checker sees what a GPU would
/// suffer from: a second use of the storage without a barrier in between.
#pragma once

#include <cstring>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/groups/meeting.hpp"
#include "executor/language/groups/tiles.hpp"
#include "executor/language/site.hpp"

namespace cub {
namespace detail {

using nbody::executor::Members;
using nbody::executor::Site;

template <int Threads>
struct Storage {
  unsigned char places[Threads];

  NBODY_ALWAYS_INLINE void write(unsigned rank) { places[rank] = 1; }
  NBODY_ALWAYS_INLINE void read(unsigned rank, unsigned count) const {
    static_cast<void>(*static_cast<const volatile unsigned char*>(&places[(rank + 1) % count]));
  }
};

/// work(values, count) over the values that all \p members bring, by way of \p storage.
template <int Threads, class T, class Work>
NBODY_ALWAYS_INLINE T meetBy(Storage<Threads>* storage,
                             Site site,
                             Members members,
                             unsigned rank,
                             T value,
                             const Work& work) {
  if (storage != nullptr) storage->write(rank);
  const T result = nbody::executor::meet(site, members, value, work);
  if (storage != nullptr && members.lanes != 0)  // lanes that meet by shuffles order no memory
    nbody::executor::waitForWarp(site, nbody::executor::WarpOperation::sync, members.lanes, 0, 0);
  if (storage != nullptr) storage->read(rank, members.count);
  return result;
}

inline Members wholeBlock() { return {0, 0, nbody::executor::threadsInBlock()}; }

/// The \p threads lanes of the caller's logical warp.
template <int Threads>
Members logicalWarp() {
  static_assert(Threads > 0 && Threads <= 32 && (Threads & (Threads - 1)) == 0,
                "a logical warp has a power of two lanes, at most 32");
  return nbody::executor::partOfBlock(Threads).members();
}

/// What a function gives to threads for which its result is not defined: to be noticed.
template <class T>
T undefinedValue(T value) {
  if constexpr (std::is_trivially_copyable_v<T>)
    std::memset(static_cast<void*>(&value), 0xff, sizeof value);
  return value;
}

}  // namespace detail
}  // namespace cub
