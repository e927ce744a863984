#include "executor/checker/findings.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <tuple>

#include "executor/block_scheduler.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/finding_names.hpp"

namespace nbody::executor::checker {

namespace {

using Key = std::tuple<Bug, std::uint32_t, std::uint32_t>;  // and the two places in the program

struct Found {
  std::mutex mutex;
  std::map<Key, std::size_t> numbers;
  std::vector<Finding> list;
};

Found& found() {
  static auto& theFound = *new Found;  // programs free in destructors of static objects
  return theFound;
}

/// The finding of this bug at these places, made by \p make where it is new.
template <class Make>
Finding& findingFor(const Key& key, Make make) {
  auto [position, isNew] = found().numbers.try_emplace(key, found().list.size());
  if (isNew) found().list.push_back(make());
  else ++found().list[position->second].count;
  return found().list[position->second];
}

Side sideOf(const RecordedSide& recorded) {
  const Record& record = recorded.record;
  Side side = {.code = siteCode(record.site()),
               .thread = record.thread(),
               .writes = recorded.writes,
               .atomic = record.isAtomic()};
  if (const std::optional<SliceOwner> owner = ownerOf(record.slice())) {
    side.block = owner->block;
    side.operation = owner->operation;
  }
  return side;
}

/// A number of the place where \p side is, in the program or of an operation in the source.
std::uint32_t placeOf(const Side& side) {
  if (side.code != 0 || side.operation == nullptr) return side.code;
  const Operation& operation = side.operation->operation;
  return 1u << 31 | static_cast<std::uint32_t>(std::hash<std::string>()(operation.file) +
                                               static_cast<std::size_t>(operation.line));
}

Apart apartnessOf(const Side& one, const Side& other) {
  if (one.operation != other.operation) return Apart::operations;
  if (one.block != other.block) return Apart::blocks;
  return one.thread / kLanes != other.thread / kLanes ? Apart::warps : Apart::lanes;
}

}  // namespace

void recordRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later) {
  const Pause pause;
  const Side one = sideOf(earlier);
  const Side other = sideOf(later);
  const auto [first, second] = std::minmax({placeOf(one), placeOf(other)});
  const auto make = [&] {
    return Finding{.bug = Bug::race,
                   .space = array.space,
                   .memory = memoryName(array.space),
                   .what = nameOf(array, word * kWordBytes, other.code),
                   .earlier = one,
                   .later = other,
                   .apart = apartnessOf(one, other)};
  };
  const std::lock_guard lock(found().mutex);
  Finding& finding = findingFor({Bug::race, first, second}, make);
  // What is shown is what the advice is for.
  if (apartnessOf(one, other) > finding.apart) {
    const std::uint64_t count = finding.count;
    finding = make();
    finding.count = count;
  }
}

void foundUnwritten(Array& array, std::size_t word, Record now) {
  const Pause pause;
  Side side = sideOf({now, false});
  side.atomic = false;  // of an update it is the read
  const std::lock_guard lock(found().mutex);
  findingFor({Bug::unwritten, side.code, 0}, [&] {
    return Finding{.bug = Bug::unwritten,
                   .space = array.space,
                   .memory = memoryName(array.space),
                   .what = nameOf(array, static_cast<std::ptrdiff_t>(word * kWordBytes), side.code),
                   .later = side};
  });
}

void foundOutside(Array* array,
                  const char* address,
                  std::size_t bytes,
                  bool writes,
                  std::uint32_t code) {
  Finding finding = {.bug = Bug::outside,
                     .space = Space::global,
                     .memory = "all arrays",
                     .what = array == nullptr ? strayText(address) : "",
                     .later = {.code = code, .writes = writes},
                     .accessBytes = bytes};
  if (array != nullptr) {
    // An access that begins inside and ends outside is named by its last byte.
    const std::ptrdiff_t begin = address - array->begin;
    const bool straddles = array->holds(address, 1);
    finding.space = array->space;
    finding.memory = memoryName(array->space);
    finding.what =
        nameOf(*array, straddles ? begin + static_cast<std::ptrdiff_t>(bytes) - 1 : begin, code);
    finding.size = sizeText(*array);
  }
  foundIndex(std::move(finding));
}

void foundIndex(Finding finding) {
  running.watch = Watch::nothing;
  const Side here = sideOf({Record(running.blockFirst, running.thread, 0, 0, false), false});
  finding.later.thread = here.thread;
  finding.later.block = here.block;
  finding.later.operation = here.operation;
  {
    const std::lock_guard lock(found().mutex);
    found().list.push_back(std::move(finding));
  }
  thisScheduler().abandonThread();
}

std::vector<Finding> takeFindings() {
  decideRaces();
  const std::lock_guard lock(found().mutex);
  found().numbers.clear();
  return std::exchange(found().list, {});
}

}  // namespace nbody::executor::checker
