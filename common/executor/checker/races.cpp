// Decides which unordered accesses are races.
#include <cstring>
#include <utility>
#include <vector>

#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/running.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

struct Undecided {
  Array* array;
  std::size_t word;
  std::uint32_t before;  ///< contents of the word before a write
  RecordedSide earlier, later;
};

std::vector<Undecided>& undecided() {
  static thread_local std::vector<Undecided> list;
  return list;
}

std::uint32_t contents(const Array& array, std::size_t word) {
  std::uint32_t value = 0;
  const std::size_t at = word * kWordBytes;
  std::memcpy(&value, array.begin + at, std::min(kWordBytes, array.bytes - at));
  return value;
}

bool isPlainWrite(const RecordedSide& side) { return side.writes && !side.record.isAtomic(); }
bool isPlainRead(const RecordedSide& side) { return !side.writes && !side.record.isAtomic(); }

/// Returns whether only the running thread's next accesses show if the two are a race.
bool isOpen(const RecordedSide& earlier, const RecordedSide& later) {
  if (!currentThread.inKernel) return false;
  return (isPlainWrite(earlier) && isPlainWrite(later)) ||
         (earlier.record.isAtomic() && isPlainRead(later));
}

}  // namespace

void foundRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later) {
  const Pause pause;
  if (isHandedOver(earlier.record, array.begin + word * kWordBytes)) return;
  if (isOpen(earlier, later)) {
    undecided().push_back({&array, word, contents(array, word), earlier, later});
    running.undecided = true;
  } else {
    recordRace(array, word, earlier, later);
  }
}

void decideRaces() {
  if (!std::exchange(running.undecided, false)) return;
  for (const Undecided& u : undecided())
    if (!u.later.writes || contents(*u.array, u.word) != u.before)
      recordRace(*u.array, u.word, u.earlier, u.later);
  undecided().clear();
}

void noteCompared(const void* address) {
  const Pause pause;
  Array* const array = arrayThatHolds(address, 1);
  if (array == nullptr) return;
  const std::size_t word = array->offsetOf(address) / kWordBytes;
  for (const Undecided& u : undecided())
    if (u.array == array && u.word == word && !u.later.writes) rememberCompared(u.later.record);
  for (const Record& read : {array->last[word].read, array->more[word].otherRead})
    if (!read.isNone() && !read.isAtomic() && read.isOf(running.actor)) rememberCompared(read);
}

void forgiveReads(const void* address, std::size_t bytes) {
  const Pause pause;
  Array* const array = arrayThatHolds(address, bytes);
  if (array == nullptr) return;
  const std::size_t first = array->offsetOf(address);
  const std::size_t begin = first / kWordBytes, end = (first + bytes - 1) / kWordBytes + 1;
  std::erase_if(undecided(), [&](const Undecided& u) {
    const bool isGuess = u.array == array && u.word >= begin && u.word < end && !u.later.writes;
    if (isGuess) rememberGuess(u.later.record);
    return isGuess;
  });
  for (std::size_t word = begin; word < end; ++word)
    for (Record* read : {&array->last[word].read, &array->more[word].otherRead})
      if (!read->isNone() && !read->isAtomic() && read->isOf(running.actor)) {
        rememberGuess(*read);
        *read = read->asAtomic();
      }
}

}  // namespace nbody::executor::checker
