/// \file
/// The check of one access, which every instrumented load and store of a kernel runs.
#pragma once

#include <cstddef>

#include "executor/checker/arrays.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// An atomic update reads its word and writes it. A copy reads words that nothing need have written:
/// the padding of structures, the rest of a buffer that is not full.
enum class Action : std::uint8_t { read, copied, write, atomicRead, atomicWrite, atomicUpdate };

/// Checks that the running thread may do that with \p bytes bytes; \p code is the address of the
/// instruction after the access. Does not return where the access is out of bounds.
template <Action action>
void checkAccess(const void* address, std::size_t bytes, const void* code);

/// As checkAccess(), for memory of a known array from \p first to \p end, without its bounds.
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

/// Whether all bytes of some words are, by their entries in Array::written.
template <std::size_t words>
bool areWritten(const std::uint8_t* written) {
  for (std::size_t i = 0; i < words; ++i)
    if ((written[i] & kWholeWord) != kWholeWord) return false;
  return true;
}

/// Whether words need no more of a read by the running thread.
template <std::size_t bytes>
bool isDone(const Running& r, const SiteCache& site, std::size_t word) {
  constexpr std::size_t words = bytes / kWordBytes;
  if (r.watch == Watch::bounds) return areWritten<words>(site.written + word);
  const Slice slice = site.covered[word];
  for (std::size_t i = 1; i < words; ++i)
    if (site.covered[word + i] != slice) return false;
  return slice == r.slice || slice == r.epochFirst || slice == r.launch;
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
    if constexpr (bytes % kWordBytes == 0) {
      if (offset % kWordBytes == 0 && isDone<bytes>(r, site, offset / kWordBytes)) [[likely]] {
        site.bytesRead += bytes;
        return;
      }
    }
  } else if (r.stack.holds(begin) || site.ordinary.holds(begin)) {
    return;
  }
  checkAccess<Action::read>(address, bytes, code);
}

template <std::size_t bytes>
inline void checkWrite(const void* address, const void* code) {
  Running& r = running;
  if (r.watch == Watch::nothing) return;
  if constexpr (bytes % kWordBytes == 0) {
    const SiteCache& site = r.siteOf(code);
    const std::size_t offset = static_cast<const char*>(address) - site.begin;
    if (r.watch == Watch::bounds && offset < site.bytes && bytes <= site.bytes - offset &&
        offset % kWordBytes == 0 &&
        areWritten<bytes / kWordBytes>(site.written + offset / kWordBytes))
      return;
  }
  checkAccess<Action::write>(address, bytes, code);
}

}  // namespace nbody::executor::checker
