#include "executor/checker/check.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/remember.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

/// Returns whether two atomics are atomic for each other's thread.
template <Action action>
inline bool isAtomicFor(const Now<action>& now, Record earlier) {
  return (!earlier.isOfBlockScope() && !now.r.scopeIsBlock) || isOfBlock(now.r, earlier.slice());
}

/// Finds a race if nothing orders \p earlier before now and both access the same byte.
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
  // An access that races with this read also races with the same thread's earlier write.
  if (!hasMore && last.write.isOf(now.actor(), bytes)) return;
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
  if (!hasMore && last.read.isNone() && last.write.isOf(now.actor(), bytes)) return;
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
    // Another thread that reads it also holds an undefined value.
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

namespace {

std::array<std::atomic<std::uint32_t>, 1 << 16> siteCodes;  ///< address by site number; 0: none

void markUsed(SiteCache& site) {
  if (std::exchange(site.isUsed, true)) return;
  running.usedSites[running.usedCount++] = static_cast<std::uint16_t>(&site - running.sites.data());
}

/// Sets the array of \p site, and counts what the site has read of another array.
void remember(SiteCache& site, Array& array, std::uint32_t code) {
  markUsed(site);
  if (site.array != nullptr) site.array->bytesRead += site.bytesRead;
  site.array = &array;
  site.begin = array.begin;
  site.bytes = array.bytes;
  site.covered = array.covered;
  site.written = array.written;
  site.last = array.last;
  site.bytesRead = 0;
  site.code = code;
  site.site = siteNumber(code);
}

void rememberOrdinary(SiteCache& site, const Range& ordinary, std::uint32_t code) {
  markUsed(site);
  site.code = code;
  site.site = siteNumber(code);
  site.ordinary = ordinary;
}

/// Returns the array of an access, and stores it in \p site; null if no check is needed.
template <Action action>
Array* arrayOf(SiteCache& site, const char* begin, std::size_t bytes, std::uint32_t code) {
  if (site.array == nullptr || !site.array->holds(begin, bytes)) [[unlikely]] {
    if (running.stack.holds(begin) || launchArguments.holds(begin)) return nullptr;
    if (site.code == code && site.ordinary.holds(begin)) return nullptr;
    Range ordinary;
    Array* const array = locate(begin, bytes, isWrite(action), code, ordinary);
    if (array != nullptr) remember(site, *array, code);
    else rememberOrdinary(site, ordinary, code);
    return array;
  }
  if (site.code != code) {
    site.code = code;
    site.site = siteNumber(code);
    site.ordinary = {};
  }
  return site.array;
}

}  // namespace

template <Action action>
[[gnu::always_inline]] inline void checkEachWord(Array& array, std::size_t first, std::size_t end,
                                                 std::uint16_t site) {
  const Running& r = running;
  const Slice before = array.space == Space::shared ? r.blockFirst : r.orderedBefore;
  const Now<action> now = {r, before, site};
  if (first % kWordBytes == 0 && end % kWordBytes == 0) [[likely]] {
    for (std::size_t word = first / kWordBytes; word < end / kWordBytes; ++word)
      checkWord(now, array, word, kWholeWord);
    return;
  }
  for (std::size_t word = first / kWordBytes; word * kWordBytes < end; ++word)
    checkWord(now, array, word, bytesOfWord(word, first, end));
}

template <Action action>
void checkWords(Array& array, std::size_t first, std::size_t end, std::uint16_t site) {
  checkEachWord<action>(array, first, end, site);
}

template <Action action>
void checkAccess(const void* address, std::size_t bytes, const void* code) {
  if (bytes == 0) return;
  if (running.watch == Watch::nothing) {
    if (hostWatch.holds(address)) checkHost(address, bytes, isWrite(action), code);
    return;
  }
  // `d[i] = min(d[i], x)` that changes nothing is no write that another thread could see.
  if constexpr (action == Action::write)
    if ((running.undefined & kKeepsValue) != 0) [[unlikely]] {
      running.undefined &= ~kKeepsValue;
      return checkAccess<Action::read>(address, bytes, code);
    }
  const char* const begin = static_cast<const char*>(address);
  SiteCache& site = running.siteOf(code);
  Array* const array = arrayOf<action>(site, begin, bytes, offsetInProgram(code));
  if (array == nullptr) return;
  if constexpr (isWrite(action)) {
    if (running.undefined != 0) [[unlikely]]
      passOnUndefined();
    if (array->isConstant) [[unlikely]]
      foundConstantWrite(*array, begin - array->begin,
                         {running.slice, running.thread, 1, site.site, false});
  }
  if (action == Action::read || action == Action::copyFrom) site.bytesRead += bytes;
  const std::size_t first = begin - array->begin;
  checkEachWord<action>(*array, first, first + bytes, site.site);
}

void checkHost(const void* address, std::size_t bytes, bool writes, const void* code) {
  if (!currentThread.inKernel && callsOfRuntime == 0)
    hostWatch.touched(address, bytes, writes, code);
}

void readPadding(const void* address, std::uint64_t padding, const void* code) {
  if (running.watch == Watch::nothing || padding == 0 || running.stack.holds(address) ||
      launchArguments.holds(address))
    return;
  SiteCache& site = running.siteOf(code);
  const auto bytes = static_cast<std::size_t>(std::bit_width(padding));
  if (site.array == nullptr || !site.array->holds(static_cast<const char*>(address), bytes)) {
    const Pause pause;
    Array* const array = arrayThatHolds(address, bytes);
    if (array == nullptr) return;
    remember(site, *array, offsetInProgram(code));
  }
  const std::size_t first = site.array->offsetOf(address);
  for (; padding != 0; padding &= padding - 1) {
    const std::size_t byte = first + std::countr_zero(padding);
    const unsigned bit = 1u << byte % kWordBytes;
    if ((site.written[byte / kWordBytes] & bit) == 0) setBits(*site.array, byte / kWordBytes, bit);
  }
}

template void checkAccess<Action::read>(const void*, std::size_t, const void*);
template void checkAccess<Action::copyFrom>(const void*, std::size_t, const void*);
template void checkAccess<Action::write>(const void*, std::size_t, const void*);
template void checkAccess<Action::copyTo>(const void*, std::size_t, const void*);
template void checkAccess<Action::atomicRead>(const void*, std::size_t, const void*);
template void checkAccess<Action::atomicWrite>(const void*, std::size_t, const void*);
template void checkAccess<Action::atomicUpdate>(const void*, std::size_t, const void*);
template void checkWords<Action::copyFrom>(Array&, std::size_t, std::size_t, std::uint16_t);
template void checkWords<Action::write>(Array&, std::size_t, std::size_t, std::uint16_t);

std::uint16_t siteNumber(std::uint32_t code) {
  constexpr int kTries = 64;
  std::uint16_t number = static_cast<std::uint16_t>(code * 2654435761u >> 16);
  for (int tries = 0; tries < kTries; ++tries, ++number) {
    if (number == 0) continue;  // no place has this number
    std::uint32_t found = siteCodes[number].load(std::memory_order_relaxed);
    if (found == 0 && siteCodes[number].compare_exchange_strong(found, code)) return number;
    if (found == code) return number;
  }
  return 0;
}

std::uint32_t siteCode(std::uint16_t site) { return siteCodes[site]; }

void flushSites() {
  for (std::size_t i = 0; i < running.usedCount; ++i) {
    SiteCache& site = running.sites[running.usedSites[i]];
    if (site.array != nullptr) site.array->bytesRead += std::exchange(site.bytesRead, 0);
  }
}

void forgetSitesOf(const Array& array) {
  flushSites();
  for (std::size_t i = 0; i < running.usedCount; ++i) {
    SiteCache& site = running.sites[running.usedSites[i]];
    if (site.array != &array) continue;
    site.array = nullptr;
    site.bytes = 0;
  }
}

void forgetSites() {
  for (std::size_t i = 0; i < running.usedCount; ++i) running.sites[running.usedSites[i]] = {};
  running.usedCount = 0;
}

}  // namespace nbody::executor::checker
