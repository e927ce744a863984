/// \file
/// The check of one access, which runs for every instrumented load and store of a kernel.
#pragma once

#include <cstddef>

#include "executor/checker/arrays.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Words and bytes of an access that is aligned, as most are: whole words, or a part of one.
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
  /// Returns whether \p holds for each word from \p first on.
  template <class Holds>
  static bool all(std::size_t first, Holds holds) {
    for (std::size_t i = 0; i < kWords; ++i)
      if (!holds(first + i)) return false;
    return true;
  }
};

/// Returns whether the running thread's read of the words at \p offset is covered and not checked.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isCovered(const Running& r, const SiteCache& site,
                                             std::size_t offset) {
  const Slice* const covered = site.covered + offset / kWordBytes;
  for (std::size_t i = 1; i < Extent<bytes>::kWords; ++i)
    if (covered[i] != *covered) return false;
  return *covered == r.slice || *covered == r.epochFirst || *covered == r.launch;
}

/// Returns whether an access to the words at \p offset needs no check, because they are written. If races
/// are looked for, the running thread must have been the last to write them, and for a write the last
/// to access them.
template <std::size_t bytes, bool kIsWrite>
[[gnu::always_inline]] inline bool isDone(const Running& r, const SiteCache& site,
                                          std::size_t offset) {
  using Words = Extent<bytes>;
  const std::size_t first = offset / kWordBytes;
  const unsigned mask = Words::maskOf(offset);
  if (r.watch == Watch::bounds)
    return Words::all(first, [&](auto word) { return (site.written[word] & mask) == mask; });
  return Words::all(first, [&](auto word) {
    const Last& last = site.last[word];
    return last.write.isOf(r.actor, mask) && (!kIsWrite || last.read.isNone()) &&
           (site.written[word] & (mask | kHasMore)) == mask;
  });
}

/// Returns whether an access is aligned and in the array that its site used last.
template <std::size_t bytes>
[[gnu::always_inline]] inline bool isUsual(const SiteCache& site, std::size_t offset) {
  return offset < site.bytes && bytes <= site.bytes - offset && Extent<bytes>::isUsual(offset);
}

/// Kinds of access. An atomic update reads its word and writes it. A copy may read bytes that were
/// never written, such as padding of structures or the rest of a buffer. copyWritten() tells which
/// bytes of its target then count as written.
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

/// Checks that the running thread may access \p bytes bytes. \p code is the address of the
/// instruction after the access. Does not return if the access is out of bounds.
template <Action action>
void checkAccess(const void* address, std::size_t bytes, const void* code);

/// Checks that the running thread may copy a struct from \p address. \p padding has a bit for each
/// byte without a value, which need not be written.
void readPadding(const void* address, std::uint64_t padding, const void* code);

/// Does checkAccess() for the bytes from \p first to \p end of an array, except for bounds.
template <Action action>
void checkWords(Array& array, std::size_t first, std::size_t end, std::uint16_t site);

/// Adds what the calling OS thread's sites have read to the counts of their arrays.
void flushSites();
/// Calls flushSites(), and forgets \p array.
void forgetSitesOf(const Array& array);
/// Forgets all arrays, which may no longer exist. All reads must have been counted.
void forgetSites();

/// Returns the number of the place \p code in the program for Record; 0 if there are too many.
std::uint16_t siteNumber(std::uint32_t code);
/// Returns the place of that number.
std::uint32_t siteCode(std::uint16_t site);

/// Tells the runtime of an access by host code.
[[gnu::noinline]] void checkHost(const void* address, std::size_t bytes, bool writes,
                                 const void* code);

/// Does checkRead() for words that are not covered. Separate, so that it needs no registers there.
template <std::size_t bytes>
[[gnu::noinline]] void checkOtherRead(const void* address, const void* code) {
  const Running& r = running;
  SiteCache& site = running.siteOf(code);
  const std::size_t offset = static_cast<const char*>(address) - site.begin;
  if (isUsual<bytes>(site, offset) && isDone<bytes, false>(r, site, offset)) {
    site.bytesRead += bytes;
    return;
  }
  checkAccess<Action::read>(address, bytes, code);
}

/// Does checkAccess() for a read. Fast if the same words are read again and again.
template <std::size_t bytes>
inline void checkRead(const void* address, const void* code) {
  Running& r = running;
  if (r.watch == Watch::nothing) {
    if (hostWatch.holds(address)) [[unlikely]]
      checkHost(address, bytes, false, code);
    return;
  }
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
  if (r.watch == Watch::nothing) {
    if (hostWatch.holds(address)) [[unlikely]]
      checkHost(address, bytes, true, code);
    return;
  }
  const SiteCache& site = r.siteOf(code);
  const std::size_t offset = static_cast<const char*>(address) - site.begin;
  if (r.undefined == 0 && isUsual<bytes>(site, offset) && isDone<bytes, true>(r, site, offset))
    return;
  checkAccess<Action::write>(address, bytes, code);
}

}  // namespace nbody::executor::checker
