/// \file
/// Whether the shadow says at once that an access needs no check: it is of the array that its site
/// has used last, and changes nothing.
#pragma once

#include <cstddef>

#include "executor/checker/arrays.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Bytes of its words that an access of \p bytes covers, if it lies in them as most do: whole
/// words, or part of one.
template <std::size_t bytes>
struct Extent {
  static constexpr std::size_t kWords = (bytes + kWordBytes - 1) / kWordBytes;

  static bool isUsual(std::size_t offset) {
    if constexpr (bytes < kWordBytes) return offset % kWordBytes + bytes <= kWordBytes;
    return bytes % kWordBytes == 0 && offset % kWordBytes == 0;
  }
  static unsigned maskOf(std::size_t offset) {
    if constexpr (bytes < kWordBytes) return ((1u << bytes) - 1) << offset % kWordBytes;
    return kWholeWord;
  }
  /// Whether \p holds is true of each word from \p first on.
  template <class Holds>
  static bool all(std::size_t first, Holds holds) {
    for (std::size_t i = 0; i < kWords; ++i)
      if (!holds(first + i)) return false;
    return true;
  }
};

/// Whether the words at \p offset need no more of a read by the running thread: what covers them
/// says so.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isCovered(const Running& r, const SiteCache& site,
                                             std::size_t offset) {
  const Slice* const covered = site.covered + offset / kWordBytes;
  for (std::size_t i = 1; i < Extent<bytes>::kWords; ++i)
    if (covered[i] != *covered) return false;
  return *covered == r.slice || *covered == r.epochFirst || *covered == r.launch;
}

/// Whether a read needs no check: its words are written, last by this thread if races are watched.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isWrittenForRead(const Running& r, const SiteCache& site,
                                                    std::size_t offset) {
  using Words = Extent<bytes>;
  const std::size_t first = offset / kWordBytes;
  const unsigned mask = Words::maskOf(offset);
  if (r.watch == Watch::bounds)
    return Words::all(first, [&](auto word) { return (site.written[word] & mask) == mask; });
  return Words::all(first, [&](auto word) {
    return site.last[word].write.isOf(r.actor, mask) &&
           (site.written[word] & (mask | kHasMore)) == mask;
  });
}

/// Whether the words at \p offset need no more of a write by the running thread, which was the last
/// to write them and knows of no other access since.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isWriteDone(const Running& r, const SiteCache& site,
                                               std::size_t offset) {
  using Words = Extent<bytes>;
  const std::size_t first = offset / kWordBytes;
  const unsigned mask = Words::maskOf(offset);
  if (r.watch == Watch::bounds)
    return Words::all(first, [&](auto word) { return (site.written[word] & mask) == mask; });
  return Words::all(first, [&](auto word) {
    const Last& last = site.last[word];
    return last.write.isOf(r.actor, mask) && last.read.isNone() &&
           (site.written[word] & (mask | kHasMore)) == mask;
  });
}

/// Whether an access is of the array that its site has used last, and lies in words as most do.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isUsual(const SiteCache& site, std::size_t offset) {
  return offset < site.bytes && bytes <= site.bytes - offset && Extent<bytes>::isUsual(offset);
}

}  // namespace nbody::executor::checker
