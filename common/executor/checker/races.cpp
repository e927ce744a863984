// Which unordered accesses are races.
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
  std::uint32_t before;  ///< the word's contents
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

}  // namespace

void foundRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later) {
  const Pause pause;
  if (isHandedOver(earlier.record)) return;
  if (isPlainWrite(earlier) && isPlainWrite(later) && currentThread.inKernel) {
    undecided().push_back({&array, word, contents(array, word), earlier, later});
    running.undecided = true;
  } else {
    recordRace(array, word, earlier, later);
  }
}

void decideWrites() {
  if (!std::exchange(running.undecided, false)) return;
  for (const Undecided& u : undecided())
    if (contents(*u.array, u.word) != u.before) recordRace(*u.array, u.word, u.earlier, u.later);
  undecided().clear();
}

}  // namespace nbody::executor::checker
