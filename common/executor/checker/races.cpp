// Which unordered accesses are races.
#include <cstring>
#include <vector>

#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"

namespace nbody::executor::checker {

namespace {

struct Undecided {
  Array* array;
  std::size_t word;
  std::uint32_t before;  ///< the word's contents
  Side earlier, later;
};

thread_local std::vector<Undecided> undecided;

std::uint32_t contents(const Array& array, std::size_t word) {
  std::uint32_t value = 0;
  const std::size_t at = word * kWordBytes;
  std::memcpy(&value, array.begin + at, std::min(kWordBytes, array.bytes - at));
  return value;
}

bool isPlainWrite(const Side& side) { return side.writes && !side.atomic; }

}  // namespace

void foundRace(Array& array, std::size_t word, Side earlier, Side later) {
  const Pause pause;
  if (isHandedOver(earlier.access)) return;
  if (isPlainWrite(earlier) && isPlainWrite(later))
    undecided.push_back({&array, word, contents(array, word), earlier, later});
  else recordRace(array, word, earlier, later);
}

void decideWrites() {
  if (undecided.empty()) return;
  for (const Undecided& u : undecided)
    if (contents(*u.array, u.word) != u.before) recordRace(*u.array, u.word, u.earlier, u.later);
  undecided.clear();
}

}  // namespace nbody::executor::checker
