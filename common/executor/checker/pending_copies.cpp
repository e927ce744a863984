// Asynchronous copies that no thread has waited for yet. The executor copies at once. Until the
// wait, the written words are marked as pending, and every access to them is reported.
#include <algorithm>
#include <memory>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/running.hpp"
#include "executor/checker/see.hpp"

namespace nbody::executor::checker {

namespace {

struct Copy {
  char* to;
  std::size_t bytes, first, step;  ///< words first, first + step, ... of it, or bytes
  const void* barrier;  ///< barrier that it completes; null: its thread waits for it
  int thread;
  unsigned batch;  ///< batch of its thread
  Slice slice;  ///< slice in which the thread began it
  bool hasEnded = false;  ///< its barrier's phase has ended, which some thread must wait for
};

/// Copies of the block that the calling OS thread runs.
struct Pending {
  std::vector<Copy> copies;
  unsigned batches[1024] = {};  ///< number of batches that each thread has committed
};
Pending& pending() {
  static thread_local const auto own = makeState<Pending>();
  return *own;
}

/// Moves words written by \p copy to another slice, if slice \p from was the last to write them.
void setSlices(const Copy& copy, Slice from, Slice to) {
  Array* const array = arrayThatHolds(copy.to, copy.bytes);
  if (array == nullptr) return;
  const std::size_t size =
      (reinterpret_cast<std::size_t>(copy.to) | copy.bytes) % kWordBytes == 0 ? kWordBytes : 1;
  for (std::size_t i = copy.first; i < copy.bytes / size; i += copy.step) {
    const std::size_t word = (copy.to - array->begin + i * size) / kWordBytes;
    Record& write = array->last[word].write;
    if (!write.isOf(Record::actorBits(from, copy.thread))) continue;
    write = to == 0 ? Record() : write.withSlice(to);
    array->covered[word] = 0;
  }
}

template <class Holds, class SliceOf>
void finish(Holds holds, SliceOf sliceOf) {
  const Pause pause;
  auto& copies = pending().copies;
  const auto end = std::stable_partition(copies.begin(), copies.end(),
                                         [&](const Copy& copy) { return !holds(copy); });
  std::for_each(end, copies.end(), [&](const Copy& c) { setSlices(c, kPending, sliceOf(c)); });
  copies.erase(end, copies.end());
}

}  // namespace

void startCopy(void* to, std::size_t bytes, std::size_t first, std::size_t step,
               const void* barrier) {
  if (!isWatched()) return;
  const Pause pause;
  const unsigned batch = pending().batches[running.thread];
  const Copy copy = {static_cast<char*>(to), bytes, first,        step, barrier,
                     running.thread,         batch, running.slice};
  pending().copies.push_back(copy);
  if (running.counts) seeCopy(to, bytes);
  setSlices(copy, running.slice, kPending);
}

void commitCopies() { ++pending().batches[running.thread]; }

void finishCopies(std::size_t butLast) {
  if (pending().copies.empty()) return;
  const unsigned batches = pending().batches[running.thread];
  finish(
      [&](const Copy& c) {
        return c.barrier == nullptr && c.thread == running.thread && c.batch < batches &&
               batches - c.batch > butLast;
      },
      [](const Copy&) { return running.slice; });
}

void endCopiesOf(const void* barrier) {
  for (Copy& copy : pending().copies) copy.hasEnded |= copy.barrier == barrier;
}

void finishCopiesOf(const void* barrier) {
  if (pending().copies.empty()) return;
  // The end of the phase has ordered everything before it.
  finish([&](const Copy& c) { return c.hasEnded && c.barrier == barrier; },
         [](const Copy& c) { return c.slice; });
}

void forgetCopies() {
  if (pending().copies.empty()) return;
  finish([](const Copy&) { return true; }, [](const Copy&) { return Slice{0}; });
  std::fill_n(pending().batches, 1024, 0u);
}

}  // namespace nbody::executor::checker
