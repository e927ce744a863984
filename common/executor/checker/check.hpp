/// \file
/// The check of one access, which every instrumented load and store of a kernel runs.
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

/// An atomic update reads its word and writes it. A copy may read bytes that nothing has written: the
/// padding of structures, the rest of a buffer that is not full. copyWritten() tells which bytes of its
/// target then count as written.
enum class Action : std::uint8_t {
  read,
  copyFrom,
  write,
  copyTo,
  atomicRead,
  atomicWrite,
  atomicUpdate
};

constexpr bool isWrite(Action action) {
  return action == Action::write || action == Action::copyTo || action >= Action::atomicWrite;
}
constexpr bool isCopy(Action action) {
  return action == Action::copyFrom || action == Action::copyTo;
}

/// Checks that the running thread may do that with \p bytes bytes; \p code is the address of the
/// instruction after the access. Does not return where the access is out of bounds.
template <Action action>
void checkAccess(const void* address, std::size_t bytes, const void* code);

/// The running thread copies a struct from \p address. The bytes of \p padding, a bit for each, hold no
/// values: nothing has to write them.
void readPadding(const void* address, std::uint64_t padding, const void* code);

/// Does checkAccess() for the bytes from \p first to \p end of a known array, except for bounds.
template <Action action>
void checkWords(Array& array, std::size_t first, std::size_t end, std::uint16_t site);

/// Counts for their arrays what the sites of the calling OS thread have read.
void flushSites();
/// And forgets \p array.
void forgetSitesOf(const Array& array);
/// Forgets all arrays, which may be gone; nothing may be left to count.
void forgetSites();

/// The number of the place \p code in the program, for Record; 0 where there are too many.
std::uint16_t siteNumber(std::uint32_t code);
/// The place of that number.
std::uint32_t siteCode(std::uint16_t site);

/// checkRead() of words that are not covered: apart, so that it needs no registers of its caller's.
template <std::size_t bytes>
[[gnu::noinline]] void checkOtherRead(const void* address, const void* code) {
  const Running& r = running;
  SiteCache& site = running.siteOf(code);
  const std::size_t offset = static_cast<const char*>(address) - site.begin;
  if (isUsual<bytes>(site, offset) && isWrittenForRead<bytes>(r, site, offset)) {
    site.bytesRead += bytes;
    return;
  }
  checkAccess<Action::read>(address, bytes, code);
}

/// checkAccess() of a read, quick where the same words are read again and again.
template <std::size_t bytes>
inline void checkRead(const void* address, const void* code) {
  Running& r = running;
  if (r.watch == Watch::nothing) return;
  const char* const begin = static_cast<const char*>(address);
  SiteCache& site = r.siteOf(code);
  const std::size_t offset = begin - site.begin;
  if (offset < site.bytes && bytes <= site.bytes - offset) [[likely]] {
    if (Extent<bytes>::isUsual(offset) && isCovered<bytes>(r, site, offset)) [[likely]] {
      site.bytesRead += bytes;
      return;
    }
  } else if (r.stack.holds(begin) || site.ordinary.holds(begin)) {
    return;
  }
  checkOtherRead<bytes>(address, code);
}

template <std::size_t bytes>
inline void checkWrite(const void* address, const void* code) {
  Running& r = running;
  if (r.watch == Watch::nothing) return;
  const SiteCache& site = r.siteOf(code);
  const std::size_t offset = static_cast<const char*>(address) - site.begin;
  if (r.undefined == 0 && isUsual<bytes>(site, offset) && isWriteDone<bytes>(r, site, offset))
    return;
  checkAccess<Action::write>(address, bytes, code);
}

}  // namespace nbody::executor::checker
