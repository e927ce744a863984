#include "executor/checker/slices.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "executor/checker/arrays.hpp"

namespace nbody::executor::checker {

namespace {

constexpr Slice kRestart = 1u << 31;
constexpr Slice kLast = 0xffff0000u;

/// First slice of a block, or of its next range of numbers.
struct Start {
  Slice first;
  SliceOwner owner;
};
struct Numbers {
  Slice first, last;
};

/// Slices of an OS thread.
struct Log {
  std::mutex mutex;
  std::vector<Start> starts;  ///< ascending
  // Only the OS thread uses these:
  Slice next = 0, end = 0;  ///< numbers that it has taken and not used
  std::vector<Numbers> older;  ///< earlier ranges of the running block
};

std::mutex mutex;  // guards the following variables
/// Returns the logs of all OS threads so far. Never destroyed, because kernels run in destructors
/// of static objects.
std::vector<std::unique_ptr<Log>>& logs() {
  static auto& all = *new std::vector<std::unique_ptr<Log>>;
  return all;
}
Slice nextSlice = 1;
unsigned generation = 0;
std::atomic<bool> exhausted = false;

Log& ownLog() {
  static thread_local Log* const own = [] {
    const std::lock_guard lock(mutex);
    logs().push_back(std::make_unique<Log>());
    return logs().back().get();
  }();
  return *own;
}

/// Takes at least \p count numbers, those after its last if no other thread has taken them.
void takeNumbers(Log& log, unsigned count) {
  constexpr unsigned kAtOnce = 4096;
  const std::lock_guard lock(mutex);
  if (nextSlice > kLast - count - kAtOnce) {  // four thousand million in one launch
    exhausted = true;
    running.watchOfBlock = Watch::bounds;
    nextSlice = kRestart;
    log.end = 0;
  }
  if (nextSlice != log.end) log.next = nextSlice;
  nextSlice = log.end = log.next + count + kAtOnce;
}

Slice use(Log& log, unsigned count) {
  const Slice first = log.next;
  log.next += count;
  running.lastSlice = log.next - 1;
  return first;
}

void addStart(Log& log, Start start) {
  const std::lock_guard lock(log.mutex);
  log.starts.push_back(std::move(start));
}

/// Returns the first start in \p log after \p slice.
std::vector<Start>::iterator afterSlice(Log& log, Slice slice) {
  return std::upper_bound(log.starts.begin(), log.starts.end(), slice,
                          [](Slice s, const Start& start) { return s < start.first; });
}

}  // namespace

Slice startSlices(std::shared_ptr<const OperationInfo> operation, std::uint64_t block,
                  unsigned count) {
  Log& log = ownLog();
  log.older.clear();
  if (log.end - log.next < count) takeNumbers(log, count);
  running.blockFirst = running.blockName = log.next;
  addStart(log, {log.next, {std::move(operation), block, log.next}});
  return use(log, count);
}

Slice moreSlices(unsigned count) {
  Log& log = ownLog();
  if (log.end - log.next < count) {
    const Slice expected = log.next;
    takeNumbers(log, count);
    if (log.next != expected) {
      log.older.push_back({running.blockFirst, running.lastSlice});
      running.blockFirst = log.next;
      addStart(log, {log.next, log.starts.back().owner});
    }
  }
  return use(log, count);
}

/// Gives unused numbers back if possible, so that small launches take few.
void endSlices() {
  Log& log = ownLog();
  const std::lock_guard lock(mutex);
  if (log.end == nextSlice && log.end != 0) nextSlice = log.next;
  log.next = log.end = 0;
}

Slice boundarySlice() {
  endSlices();
  if (nextSlice > kRestart || exhausted) {
    exhausted = false;
    for (Array* array : globalArrays()) array->forgetAccesses();
    forgetOwners(kLast);
    nextSlice = 1;
    ++generation;
  }
  const std::lock_guard lock(mutex);
  return nextSlice++;
}

unsigned slicesGeneration() { return generation; }
bool areSlicesExhausted() { return exhausted; }

void skipSlices(Slice count) {
  const std::lock_guard lock(mutex);
  nextSlice += count;
}

std::optional<SliceOwner> ownerOf(Slice slice) {
  const std::lock_guard lock(mutex);
  std::optional<Start> nearest;
  for (const auto& log : logs()) {
    const std::lock_guard logsLock(log->mutex);
    const auto after = afterSlice(*log, slice);
    if (after == log->starts.begin()) continue;
    if (!nearest || nearest->first < after[-1].first) nearest = after[-1];
  }
  return nearest ? std::optional(nearest->owner) : std::nullopt;
}

bool isOwnOlder(Slice slice) {
  const std::vector<Numbers>& older = ownLog().older;
  return std::any_of(older.begin(), older.end(), [&](const Numbers& range) {
    return slice >= range.first && slice <= range.last;
  });
}

void forgetOwners(Slice slice) {
  const std::lock_guard lock(mutex);
  for (const auto& log : logs()) {
    const std::lock_guard logsLock(log->mutex);
    log->starts.erase(log->starts.begin(), afterSlice(*log, slice));
  }
}

}  // namespace nbody::executor::checker
