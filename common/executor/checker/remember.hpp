/// \file
/// Remembers accesses to a word, at most two of each kind. They are chosen so that an access that
/// races with any earlier one also races with one of the two.
#pragma once

#include <atomic>
#include <bit>

#include "executor/checker/arrays.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// The access that happens now, compared with earlier ones and remembered.
template <Action action>
struct Now {
  const Running& r;
  Slice before;  ///< slices before this one are ordered
  std::uint16_t site;

  static constexpr bool writes() { return isWrite(action); }
  static constexpr bool isAtomic() { return action >= Action::atomicRead; }
  Record record(unsigned bytes) const {
    const Record plain = {r.slice, r.thread, bytes, site, isAtomic()};
    return isAtomic() ? plain.withScope(r.scopeIsBlock) : plain;
  }
  std::uint64_t actor() const { return r.actor; }
};

/// Distance of an earlier access's thread from the running one. Fewer waits order distant ones.
enum Distance : int { ordered, otherEpoch, sameWarp, otherWarp = sameWarp + 8, otherBlock };

/// Returns the distance. In a warp it grows with the smallest tile of lanes that contains both.
template <Action action>
inline int distanceOf(const Now<action>& now, Record earlier) {
  const Slice slice = earlier.slice();
  if (isOfEarlier(now.r, now.before, slice)) return ordered;
  if (!isOfBlock(now.r, slice)) return otherBlock;
  if (!isOfEpoch(now.r, slice)) return otherEpoch;
  const auto apart = static_cast<unsigned>(earlier.thread() ^ now.r.thread);
  return apart >= kLanes ? otherWarp : sameWarp + static_cast<int>(std::bit_width(apart));
}

/// Returns the number for Array::covered after two reads were remembered; 0 if a writer may race
/// with a third one and neither of these.
template <Action action>
inline Slice coverage(const Now<action>& now, const Last& last, const More& more) {
  const auto allWrites = [&](auto are) {
    return are(last.write.slice()) && are(more.atomic.slice()) && are(more.otherAtomic.slice());
  };
  if ((last.read.bytes() & more.otherRead.bytes()) != kWholeWord) return 0;
  const int distance = distanceOf(now, more.otherRead);
  const auto ofEarlier = [&](Slice slice) { return isOfEarlier(now.r, now.before, slice); };
  if (distance == otherBlock) return allWrites(ofEarlier) ? now.r.launch : 0;
  const auto ofEarlierEpoch = [&](Slice slice) { return slice < now.r.epochFirst; };
  if (distance <= sameWarp || !allWrites(ofEarlierEpoch)) return 0;
  if (distance == otherWarp) return now.r.epochFirst;
  return more.otherRead.slice() == now.r.slice && !someLanesMeet ? now.r.slice : 0;
}

/// Sets bits of a word's byte of \p written, which other OS threads may change at the same time.
inline void setBits(Array& array, std::size_t word, unsigned bits) {
  std::uint8_t& written = array.written[word];
  if ((written & bits) == bits) return;
  array.touched = true;
  if (severalThreads && array.space == Space::global)
    std::atomic_ref(written).fetch_or(static_cast<std::uint8_t>(bits), std::memory_order_relaxed);
  else written |= bits;
}

/// Clears such bits, so that the next read of the word is checked.
inline void clearBits(Array& array, std::size_t word, unsigned bits) {
  std::uint8_t& written = array.written[word];
  if ((written & bits) == 0) return;
  array.covered[word] = 0;
  if (severalThreads && array.space == Space::global)
    std::atomic_ref(written).fetch_and(static_cast<std::uint8_t>(~bits), std::memory_order_relaxed);
  else written &= ~bits;
}

template <Action action>
inline void rememberRead(const Now<action>& now, Array& array, std::size_t word, unsigned bytes) {
  Last& last = array.last[word];
  if (last.read.isOf(now.actor()) && now.isAtomic() == last.read.isAtomic()) {
    last.read = last.read.withBytes(bytes);
    return;
  }
  const int distance = distanceOf(now, last.read);
  // Plain reads replace atomic loads, because they race with more accesses.
  if (distance == ordered || last.read.isAtomic()) {
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
inline void rememberAtomic(const Now<action>& now, Array& array, std::size_t word, unsigned bytes) {
  array.covered[word] = 0;
  setBits(array, word, kHasMore);
  More& more = array.more[word];
  // For other blocks, the record of an atomic of block scope stays.
  const auto wasOfBlock = [&](Record earlier) {
    return earlier.isOfBlockScope() && isOfBlock(now.r, earlier.slice());
  };
  const bool isOfBlockScope =
      someScopesAreBlocks && (wasOfBlock(more.atomic) || wasOfBlock(more.otherAtomic));
  if (!more.atomic.isOf(now.actor()) &&
      distanceOf(now, more.atomic) >= distanceOf(now, more.otherAtomic))
    more.otherAtomic = more.atomic;
  more.atomic = now.record(bytes).withScope(isOfBlockScope);
}

/// Forgets the others if this access is to the whole word: they came before, or race with it.
template <Action action>
inline void rememberWrite(const Now<action>& now, Array& array, std::size_t word, unsigned bytes) {
  Last& last = array.last[word];
  if (array.covered[word] != 0) array.covered[word] = 0;
  last.write = last.write.isOf(now.actor()) ? last.write.withBytes(bytes) : now.record(bytes);
  if (bytes != kWholeWord) return;
  last.read = {};
  if ((array.written[word] & kHasMore) != 0) array.more[word] = {};
}

}  // namespace nbody::executor::checker
