/// \file
/// The check of an access to one word: what it is compared with, and what is remembered of it.
#pragma once

#include <atomic>

#include "executor/checker/arrays.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// What an access is compared with and remembered as.
template <Action action>
struct Now {
  const Running& r;
  Slice before;  ///< slices before this one are ordered
  std::uint16_t site;

  static constexpr bool writes() {
    return action >= Action::atomicWrite || action == Action::write;
  }
  static constexpr bool isAtomic() { return action >= Action::atomicRead; }
  Record record(unsigned bytes) const { return {r.slice, r.thread, bytes, site, isAtomic()}; }
  std::uint64_t actor() const { return Record::actorBits(r.slice, r.thread); }
};

/// Finds a race where nothing orders \p earlier before now and both are of the same byte.
template <Action action>
inline void compare(const Now<action>& now,
                    Array& array,
                    std::size_t word,
                    Record earlier,
                    bool wrote,
                    unsigned bytes) {
  if (isOrdered(now.r, now.before, earlier)) [[likely]]
    return;
  if ((earlier.bytes() & bytes) == 0 || (earlier.isAtomic() && now.isAtomic())) return;
  foundRace(array, word, {earlier, wrote}, {now.record(bytes), now.writes()});
}

/// How far the thread of \p earlier is from the running one: the more, the fewer waits order them.
template <Action action>
inline int distanceOf(const Now<action>& now, Record earlier) {
  const Slice slice = earlier.slice();
  if (slice < now.before) return 0;
  if (!isOfBlock(now.r, slice)) return 4;
  if (!isOfEpoch(now.r, slice)) return 1;
  return earlier.thread() / kLanes != now.r.thread / kLanes ? 3 : 2;
}

/// The number for Array::covered that two reads earn which have just been remembered; 0 where a
/// writer may race with a third and with neither of them.
template <Action action>
inline Slice coverage(const Now<action>& now, const Last& last, const More& more) {
  const auto wroteBefore = [&](Slice slice) {
    return last.write.slice() < slice && more.atomic.slice() < slice;
  };
  if ((last.read.bytes() & more.otherRead.bytes()) != kWholeWord) return 0;
  switch (distanceOf(now, more.otherRead)) {
    case 4:
      return wroteBefore(now.before) ? now.r.launch : 0;
    case 3:
      return wroteBefore(now.r.epochFirst) ? now.r.epochFirst : 0;
    case 2:
      return more.otherRead.slice() == now.r.slice && wroteBefore(now.r.epochFirst) &&
                     !someLanesMeet
                 ? now.r.slice
                 : 0;
    default:
      return 0;
  }
}

/// Sets bits of a word's byte of \p written, which other OS threads may be changing too.
inline void setBits(Array& array, std::size_t word, unsigned bits) {
  std::uint8_t& written = array.written[word];
  if ((written & bits) == bits) return;
  array.touched = true;
  if (severalThreads && array.space == Space::global)
    std::atomic_ref(written).fetch_or(static_cast<std::uint8_t>(bits), std::memory_order_relaxed);
  else written |= bits;
}

template <Action action>
inline void rememberRead(const Now<action>& now, Array& array, std::size_t word, unsigned bytes) {
  Last& last = array.last[word];
  if (last.read.isOf(now.actor()) && now.isAtomic() == last.read.isAtomic()) {
    last.read = last.read.withBytes(bytes);
    return;
  }
  const int distance = distanceOf(now, last.read);
  // Atomic loads give way to plain reads, which race with more.
  if (distance == 0 || last.read.isAtomic()) {
    last.read = now.record(bytes);
  } else if (!now.isAtomic()) {
    More& more = array.more[word];
    setBits(array, word, kHasMore);
    if (distance >= distanceOf(now, more.otherRead)) more.otherRead = last.read;
    last.read = now.record(bytes);
    array.covered[word] = coverage(now, last, more);
  }
}

template <Action action>
inline void checkReadOfWord(const Now<action>& now,
                            Array& array,
                            std::size_t word,
                            unsigned bytes) {
  const Last& last = array.last[word];
  const bool hasMore = (array.written[word] & kHasMore) != 0;
  // What races with a read races with the same thread's write just before.
  if (!hasMore && last.write.isOf(now.actor()) && (last.write.bytes() & bytes) == bytes) return;
  compare(now, array, word, last.write, true, bytes);
  if (hasMore) compare(now, array, word, array.more[word].atomic, true, bytes);
  rememberRead(now, array, word, bytes);
}

template <Action action>
inline void compareWithReads(const Now<action>& now,
                             Array& array,
                             std::size_t word,
                             unsigned bytes) {
  compare(now, array, word, array.last[word].read, false, bytes);
  if ((array.written[word] & kHasMore) == 0) return;
  compare(now, array, word, array.more[word].otherRead, false, bytes);
}

template <Action action>
inline void checkAtomicOfWord(const Now<action>& now,
                              Array& array,
                              std::size_t word,
                              unsigned bytes) {
  compare(now, array, word, array.last[word].write, true, bytes);
  compareWithReads(now, array, word, bytes);
  array.covered[word] = 0;
  setBits(array, word, kHasMore);
  array.more[word].atomic = now.record(bytes);
}

template <Action action>
inline void checkWriteOfWord(const Now<action>& now,
                             Array& array,
                             std::size_t word,
                             unsigned bytes) {
  Last& last = array.last[word];
  const bool hasMore = (array.written[word] & kHasMore) != 0;
  const bool again = last.write.isOf(now.actor());
  if (again && last.read.isNone() && !hasMore && (last.write.bytes() & bytes) == bytes) return;
  compare(now, array, word, last.write, true, bytes);
  compareWithReads(now, array, word, bytes);
  if (hasMore) compare(now, array, word, array.more[word].atomic, true, bytes);
  if (array.covered[word] != 0) array.covered[word] = 0;
  last.write = again ? last.write.withBytes(bytes) : now.record(bytes);
  if (bytes != kWholeWord) return;
  last.read = {};
  if (hasMore) array.more[word] = {};
}

template <Action action>
inline void checkWord(const Now<action>& now, Array& array, std::size_t word, unsigned bytes) {
  if constexpr (action == Action::write || action == Action::atomicWrite)
    setBits(array, word, bytes);
  else if ((array.written[word] & bytes) != bytes) [[unlikely]]
    foundUnwritten(array, word, now.record(bytes));
  if (now.r.watch != Watch::races) return;
  if constexpr (action == Action::read) {
    checkReadOfWord(now, array, word, bytes);
  } else if constexpr (action == Action::write) {
    checkWriteOfWord(now, array, word, bytes);
  } else if constexpr (action == Action::atomicRead) {
    compare(now, array, word, array.last[word].write, true, bytes);
    rememberRead(now, array, word, bytes);
  } else {
    checkAtomicOfWord(now, array, word, bytes);
  }
}

}  // namespace nbody::executor::checker
