/// \file
/// The check of an access to one word.
#pragma once

#include "executor/checker/findings.hpp"
#include "executor/checker/remember.hpp"

namespace nbody::executor::checker {

/// Whether each of two atomics is one for the other's thread, too.
template <Action action>
inline bool isAtomicFor(const Now<action>& now, Record earlier) {
  return (!earlier.isOfBlockScope() && !now.r.scopeIsBlock) || isOfBlock(now.r, earlier.slice());
}

/// Finds a race where nothing orders \p earlier before now and both are of the same byte.
template <Action action>
inline void compare(const Now<action>& now, Array& array, std::size_t word, Record earlier,
                    bool wrote, unsigned bytes) {
  if (isOrdered(now.r, now.before, earlier)) [[likely]]
    return;
  if ((earlier.bytes() & bytes) == 0) return;
  if (earlier.isAtomic() && now.isAtomic() && isAtomicFor(now, earlier)) return;
  foundRace(array, word, {earlier, wrote}, {now.record(bytes), now.writes()});
}

template <Action action>
inline void compareWithAtomics(const Now<action>& now, Array& array, std::size_t word,
                               unsigned bytes) {
  compare(now, array, word, array.more[word].atomic, true, bytes);
  compare(now, array, word, array.more[word].otherAtomic, true, bytes);
}

template <Action action>
inline void checkReadOfWord(const Now<action>& now, Array& array, std::size_t word,
                            unsigned bytes) {
  const Last& last = array.last[word];
  const bool hasMore = (array.written[word] & kHasMore) != 0;
  // An access that races with this read also races with the same thread's write just before it.
  if (!hasMore && last.write.isOf(now.actor()) && (last.write.bytes() & bytes) == bytes) return;
  compare(now, array, word, last.write, true, bytes);
  if (hasMore) compareWithAtomics(now, array, word, bytes);
  rememberRead(now, array, word, bytes);
}

template <Action action>
inline void compareWithReads(const Now<action>& now, Array& array, std::size_t word,
                             unsigned bytes) {
  compare(now, array, word, array.last[word].read, false, bytes);
  if ((array.written[word] & kHasMore) == 0) return;
  compare(now, array, word, array.more[word].otherRead, false, bytes);
}

template <Action action>
inline void checkAtomicOfWord(const Now<action>& now, Array& array, std::size_t word,
                              unsigned bytes) {
  compare(now, array, word, array.last[word].write, true, bytes);
  compareWithReads(now, array, word, bytes);
  if (someScopesAreBlocks && (array.written[word] & kHasMore) != 0)
    compareWithAtomics(now, array, word, bytes);
  rememberAtomic(now, array, word, bytes);
}

template <Action action>
inline void checkWriteOfWord(const Now<action>& now, Array& array, std::size_t word,
                             unsigned bytes) {
  const Last& last = array.last[word];
  const bool hasMore = (array.written[word] & kHasMore) != 0;
  if (!hasMore && last.read.isNone() && last.write.isOf(now.actor()) &&
      (last.write.bytes() & bytes) == bytes)
    return;
  compare(now, array, word, last.write, true, bytes);
  compareWithReads(now, array, word, bytes);
  if (hasMore) compareWithAtomics(now, array, word, bytes);
  rememberWrite(now, array, word, bytes);
}

template <Action action>
[[gnu::always_inline]] inline void checkWord(const Now<action>& now, Array& array, std::size_t word,
                                             unsigned bytes) {
  if constexpr (action == Action::write || action == Action::atomicWrite)
    setBits(array, word, bytes);
  else if (!isCopy(action) && (array.written[word] & bytes) != bytes) [[unlikely]]
    foundUnwritten(array, word, now.record(bytes), action >= Action::atomicWrite);
  if constexpr (action == Action::atomicUpdate) setBits(array, word, bytes);
  if (now.r.watch != Watch::races) return;
  if constexpr (action == Action::read || action == Action::copyFrom) {
    checkReadOfWord(now, array, word, bytes);
    // Another thread that reads it holds an undefined value, too.
    if ((array.written[word] & bytes) != bytes) [[unlikely]]
      array.covered[word] = 0;
  } else if constexpr (action == Action::write || action == Action::copyTo) {
    checkWriteOfWord(now, array, word, bytes);
  } else if constexpr (action == Action::atomicRead) {
    compare(now, array, word, array.last[word].write, true, bytes);
    if (someScopesAreBlocks && (array.written[word] & kHasMore) != 0)
      compareWithAtomics(now, array, word, bytes);
    rememberRead(now, array, word, bytes);
  } else {
    checkAtomicOfWord(now, array, word, bytes);
  }
}

}  // namespace nbody::executor::checker
