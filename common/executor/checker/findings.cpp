#include "executor/checker/findings.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "executor/block_scheduler.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/see.hpp"
#include "executor/checker/undefined.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

/// Returns whether an index can follow the name, also if it is an expression such as p.x.
static bool isOneWord(const std::string& name) { return name.find(' ') == std::string::npos; }

/// Returns "[2][5]" for element 71 of an array with rows of 33.
static std::string indices(std::ptrdiff_t element, const std::vector<std::size_t>& inner) {
  std::ptrdiff_t size = 1;
  for (const std::size_t extent : inner) size *= static_cast<std::ptrdiff_t>(extent);
  std::ptrdiff_t index = element >= 0 ? element / size : -((size - 1 - element) / size);
  std::string text = "[" + std::to_string(index) + "]";
  for (const std::size_t extent : inner) {
    element -= index * size;
    size /= static_cast<std::ptrdiff_t>(extent);
    index = element / size;
    text += "[" + std::to_string(index) + "]";
  }
  return text;
}

/// Returns "tile[17]" for the element at \p offset. \p code is the access.
static std::string nameOf(Array& array, std::ptrdiff_t offset, std::uint32_t code) {
  array.askSource(code);
  if (array.elementBytes == 0) {
    const bool isOneValue = array.bytes <= sizeof(double);
    if (offset == 0 && isOneValue) return array.name;
    return isOneWord(array.name) ? array.name + ", byte " + std::to_string(offset)
                                 : "byte " + std::to_string(offset) + " of " + inQuotes(array.name);
  }
  const auto size = static_cast<std::ptrdiff_t>(array.elementBytes);
  const std::ptrdiff_t element = offset >= 0 ? offset / size : -((size - 1 - offset) / size);
  return isOneWord(array.name)
             ? array.name + indices(element, array.innerExtents)
             : "element " + std::to_string(element) + " of " + inQuotes(array.name);
}

std::string whereAllocated(const Array& array) {
  return array.allocatedIn == nullptr ? "" : place(array.allocatedIn, array.allocatedLine);
}

/// Returns " of 256 elements".
static std::string sizeText(const Array& array) {
  const std::string bytes = std::to_string(array.bytes) + " bytes";
  std::string where = whereAllocated(array);
  if (!where.empty()) where = ", allocated at " + where;
  const std::string has = isOneWord(array.name) ? " of " : ", which has ";
  if (array.elementBytes == 0) {
    const bool isInName = array.name.find(bytes) != std::string::npos;  // "an array of 200 bytes"
    return (isInName ? "" : has + bytes) + (where.empty() ? "" : " (" + where.substr(2) + ")");
  }
  return has + std::to_string(array.bytes / array.elementBytes) + " elements (" + bytes + where +
         ")";
}

/// Returns " (4096 bytes past the end of values)" for the array before \p address, if it is near.
static std::string distanceText(const char* address) {
  constexpr std::ptrdiff_t kFar = 64 << 20;
  const Array* nearest = nullptr;
  for (const Array* array : globalArrays())
    if (array->begin + array->bytes <= address) nearest = array;
  const std::ptrdiff_t past = nearest ? address - nearest->begin - nearest->bytes : kFar;
  return past < kFar ? " (" + std::to_string(past) + " bytes past the end of " +
                           inQuotes(nearest->name) + ")"
                     : "";
}

/// Returns "an address that no array has (4096 bytes past the end of values)", or what is known.
static std::string strayText(const char* address) {
  const std::string stray = strayName(address);
  if (stray.empty()) return "an address outside all arrays" + distanceText(address);
  const bool isHosts = stray == kUnknownOrigin || stray.find("host") != std::string::npos;
  return (isHosts ? "host memory: " : "") + stray;
}

namespace {

using Key = std::tuple<Bug, std::uint32_t, std::uint32_t>;  // with both places in the program

/// A word of shared memory that was read before it was written, and the number of the finding.
struct ReadFirst {
  const Array* array;
  std::size_t word, finding;
};
std::vector<ReadFirst>& readFirst() {
  static thread_local std::vector<ReadFirst> ofBlock;
  return ofBlock;
}
struct Swap {
  std::uint64_t expected;
  bool isSame = true;  ///< all expect this value
};

struct Found {
  std::mutex mutex;
  std::map<Key, std::size_t> numbers;
  std::vector<Finding> list;
  std::vector<std::size_t> undefined;  ///< numbers of findings, by their bit
  std::map<std::uint32_t, Swap> swaps;  ///< compare-and-swaps by their places
  std::set<std::uint32_t> volatiles;  ///< places of volatile accesses
  std::set<std::uint32_t> compared;  ///< places of reads whose values are only compared
  std::set<std::uint32_t> guesses;  ///< places of reads that a compare-and-swap followed
  std::uint64_t turn = 1;  ///< grows when the findings are taken
};

Found& found() {
  static auto& theFound = *new Found;  // programs free in destructors of static objects
  return theFound;
}

/// Returns the number of the finding of this bug at these places, made by \p make if it is new.
template <class Make>
std::size_t findingFor(const Key& key, Make make) {
  auto [position, isNew] = found().numbers.try_emplace(key, found().list.size());
  if (isNew) found().list.push_back(make());
  else ++found().list[position->second].count;
  return position->second;
}

/// Returns the bit of finding \p number; 0 if it is known to reach a result.
Undefined bitOf(std::size_t number) {
  if (!found().list[number].isNote) return 0;
  auto& bits = found().undefined;
  const auto position = std::find(bits.begin(), bits.end(), number);
  if (position == bits.end() && bits.size() == kFindings) {
    found().list[number].isNote = false;  // no bit is left for it
    return 0;
  }
  const auto bit = position - bits.begin();
  if (position == bits.end()) bits.push_back(number);
  return Undefined{1} << bit;
}

Side sideOf(const RecordedSide& recorded) {
  const Record& record = recorded.record;
  Side side = {.code = siteCode(record.site()),
               .thread = record.thread(),
               .writes = recorded.writes,
               .atomic = record.isAtomic(),
               .ofBlockScope = record.isOfBlockScope()};
  const bool isPending = record.slice() == kPending;  // a copy of the running block
  if (const auto owner = ownerOf(isPending ? running.blockFirst : record.slice())) {
    side.block = owner->block;
    side.operation = owner->operation;
  }
  return side;
}

/// Returns a side without an access: a thread of the running block.
Side sideOf(int thread) {
  return sideOf({Record(running.blockFirst, thread, 0, 0, false), false});
}

/// Adds a place to one of the sets of them.
void note(std::set<std::uint32_t> Found::*places, std::uint32_t code) {
  const Pause pause;
  const std::lock_guard lock(found().mutex);
  (found().*places).insert(code);
}

/// Returns a number for the place of \p side: in the program or the source.
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

/// The race that this thread has found last. If it is found again, only its count grows: a missing barrier finds it a million
/// times.
struct LastRace {
  std::uint64_t turn = 0;
  std::uint16_t earlier, later;  ///< places of the accesses
  std::size_t number;
};
thread_local LastRace lastRace;

bool isKnown(const Array& array, const RecordedSide& earlier, const RecordedSide& later) {
  return !running.counts && !array.isConstant && earlier.record.slice() != kPending &&
         lastRace.turn == found().turn && lastRace.earlier == earlier.record.site() &&
         lastRace.later == later.record.site();
}

/// Returns whether no later occurrence changes the finding.
bool isFinal(const Finding& finding) {
  const Apart most = finding.space == Space::shared ? Apart::warps : Apart::operations;
  return !finding.isNote && finding.apart >= most;
}

}  // namespace

void recordRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later) {
  const Pause pause;
  if (const std::lock_guard lock(found().mutex); isKnown(array, earlier, later)) {
    ++found().list[lastRace.number].count;
    return;
  }
  const Side one = sideOf(earlier);
  const Side other = sideOf(later);
  const auto isKernels = [](const Side& side) {
    return side.writes && side.operation != nullptr && side.operation->isLaunch;
  };
  if (array.isConstant && (isKernels(one) || isKernels(other))) return;  // that is the mistake
  const auto [first, second] = std::minmax({placeOf(one), placeOf(other)});
  const Bug bug = earlier.record.slice() == kPending ? Bug::notAwaited : Bug::race;
  if (running.counts)
    seeRace(array, word, {one.code, one.thread, one.writes},
            {other.code, other.thread, other.writes},
            one.operation != other.operation ? "another launch"
            : one.block != other.block       ? "block " + std::to_string(one.block)
                                             : "");
  const std::lock_guard lock(found().mutex);
  const auto isVolatile = [](const Side& side) {
    return !side.atomic && found().volatiles.count(side.code) != 0;
  };
  // Like an atomic of the widest scope, but two plain stores are no handing over.
  const auto mayBeFlag = [&](const Side& side) {
    return isVolatile(side) || (side.atomic && !side.ofBlockScope);
  };
  const bool isFlag = mayBeFlag(one) && mayBeFlag(other) &&
                      (isVolatile(one) || isVolatile(other)) &&
                      (one.writes != other.writes || one.atomic || other.atomic) &&
                      isHandingOver(array.begin + word * kWordBytes);
  const auto make = [&] {
    return Finding{.bug = bug,
                   .space = array.space,
                   .memory = memoryName(array) + " memory",
                   .what = nameOf(array, word * kWordBytes, other.code),
                   .array = array.name,
                   .earlier = one,
                   .later = other,
                   .apart = apartnessOf(one, other),
                   .isNote = isFlag,
                   .isFlag = isFlag};
  };
  const std::size_t number = findingFor({bug, first, second}, make);
  Finding& finding = found().list[number];
  finding.isNote &= isFlag;
  // Shows the pair that is farthest apart, because the advice depends on that distance.
  if (apartnessOf(one, other) > finding.apart) {
    const std::uint64_t count = finding.count;
    finding = make();
    finding.count = count;
  }
  lastRace = {isFinal(finding) ? found().turn : 0, earlier.record.site(), later.record.site(),
              number};
}

/// A thread reads these bytes of a word, and at least one of them was never written. Returns the number
/// of this finding.
static std::size_t unwritten(Array& array, std::size_t word, unsigned bytes, const Side& side,
                             const std::string& part) {
  const unsigned missing = bytes & ~array.written[word] & kWholeWord;
  const int first = missing == 0 ? 0 : std::countr_zero(missing);
  const std::size_t number = findingFor({Bug::unwritten, side.code, 0}, [&] {
    return Finding{
        .bug = Bug::unwritten,
        .space = array.space,
        .memory = memoryName(array) + " memory",
        .what =
            nameOf(array, static_cast<std::ptrdiff_t>(word * kWordBytes) + first, side.code) + part,
        .array = array.name,
        .later = side,
        .isNote = true};
  });
  constexpr std::size_t kMost = 1 << 16;
  if (array.space == Space::shared && readFirst().size() < kMost)
    readFirst().push_back({&array, word, number});
  return number;
}

void foundUnwritten(Array& array, std::size_t word, Record now, bool isResult) {
  const Pause pause;
  const char* const address = array.begin + word * kWordBytes;
  if (running.copy.from.holds(address + std::countr_zero(now.bytes()))) {
    running.copy.foundUnwritten = true;
    return;
  }
  Side side = sideOf({now, false});
  side.atomic = false;  // the read of an update
  if (const Undefined stored = storedIn(address); stored != 0) {
    running.undefined |= stored;
    return;
  }
  const std::lock_guard lock(found().mutex);
  const std::size_t number = unwritten(array, word, now.bytes(), side, "");
  if (isResult || !currentThread.inKernel) found().list[number].isNote = false;
  else running.undefined |= bitOf(number);
}

Undefined findUnwritten(Array& array, std::size_t word, std::uint32_t code) {
  const Pause pause;
  if (const Undefined stored = storedIn(array.begin + word * kWordBytes); stored != 0)
    return stored;
  const Side side =
      sideOf({Record(running.slice, running.thread, kWholeWord, siteNumber(code), false), false});
  array.askSource(side.code);
  const std::size_t first = array.elementBytes == 0 ? 0 : word * kWordBytes % array.elementBytes;
  const std::string part =
      array.elementBytes <= kWordBytes
          ? ""
          : ", bytes " + std::to_string(first) + " to " + std::to_string(first + kWordBytes - 1);
  const std::lock_guard lock(found().mutex);
  return bitOf(unwritten(array, word, kWholeWord, side, part));
}

void decideUnwritten() {
  if (readFirst().empty()) return;
  const Pause pause;
  const std::lock_guard lock(found().mutex);
  for (const ReadFirst& read : readFirst())
    if ((read.array->written[read.word] & kWholeWord) != kWholeWord)
      found().list[read.finding].isNeverWritten = true;
  readFirst().clear();
}

void noteSwap(std::uint32_t code, std::uint64_t expected) {
  const Pause pause;
  const std::lock_guard lock(found().mutex);
  Swap& swap = found().swaps.try_emplace(code, Swap{expected}).first->second;
  swap.isSame &= swap.expected == expected;
}

void noteVolatile(std::uint32_t code) { note(&Found::volatiles, code); }
void rememberGuess(Record read) { note(&Found::guesses, siteCode(read.site())); }
void rememberCompared(Record read) { note(&Found::compared, siteCode(read.site())); }

Undefined foundUnwrittenLocal(const std::string& what, const std::string& where,
                              std::uint32_t code) {
  const Pause pause;
  Side side = sideOf(running.thread);
  side.code = code;
  if (!where.empty())
    code = static_cast<std::uint32_t>(std::hash<std::string>()(what + where)) | 1u << 31;
  const std::lock_guard lock(found().mutex);
  return bitOf(findingFor({Bug::unwritten, code, 1}, [&] {
    return Finding{.bug = Bug::unwritten,
                   .space = Space::local,
                   .memory = what.find('[') == std::string::npos ? "local variable" : "local array",
                   .what = what,
                   .array = what.substr(0, what.find('[')),
                   .later = side,
                   .where = where,
                   .isNote = true};
  }));
}

void foundConstantWrite(Array& array, std::size_t first, Record now) {
  const Pause pause;
  const Side side = sideOf({now, true});
  const std::lock_guard lock(found().mutex);
  findingFor({Bug::constant, side.code, 0}, [&] {
    return Finding{.bug = Bug::constant,
                   .space = Space::global,
                   .memory = "constant memory",
                   .what = nameOf(array, static_cast<std::ptrdiff_t>(first), side.code),
                   .array = array.name,
                   .later = side};
  });
}

Undefined foundWrongLane(int thread, const std::string& text, const std::string& line) {
  const Pause pause;
  const Side side = sideOf(thread);
  const auto ofLine = static_cast<std::uint32_t>(std::hash<std::string>()(line));
  const std::lock_guard lock(found().mutex);
  return bitOf(findingFor({Bug::wrongLane, ofLine, 0}, [&] {
    return Finding{.bug = Bug::wrongLane,
                   .space = Space::global,
                   .memory = "",
                   .what = text,
                   .later = side,
                   .where = line,
                   .isNote = true};
  }));
}

void setReached(Undefined findings) {
  const std::lock_guard lock(found().mutex);
  for (std::size_t bit = 0; bit < found().undefined.size(); ++bit)
    if ((findings >> bit & 1) != 0) found().list[found().undefined[bit]].isNote = false;
}

/// Returns whether the kernel may continue with an access that is out of the bounds of \p array.
static bool isGoneOver(const Array& array, const char* address, std::size_t bytes) {
  return options().goOnOutside && address >= array.begin - array.redZone &&
         address + bytes <= array.begin + array.bytes + array.redZone;
}

/// Records a finding of the running thread.
static void noteIndex(Finding finding) {
  const Side here = sideOf(running.thread);
  finding.later.thread = here.thread;
  finding.later.block = here.block;
  finding.later.operation = here.operation;
  const std::lock_guard lock(found().mutex);
  found().list.push_back(std::move(finding));
}

void foundOutside(Array* array, const char* address, std::size_t bytes, bool writes,
                  std::uint32_t code, const std::string& where) {
  Finding finding = {.bug = Bug::outside,
                     .space = Space::global,
                     .memory = "all arrays",
                     .what = array == nullptr ? strayText(address) : "",
                     .later = {.code = code, .writes = writes},
                     .accessBytes = bytes,
                     .where = where};
  if (array != nullptr) {
    // An access that begins inside and ends outside is named by its last byte.
    const std::ptrdiff_t begin = address - array->begin;
    const bool straddles = array->holds(address, 1);
    finding.space = array->space;
    finding.memory = memoryName(*array) + " memory";
    finding.what =
        nameOf(*array, straddles ? begin + static_cast<std::ptrdiff_t>(bytes) - 1 : begin, code);
    finding.size = sizeText(*array);
  }
  finding.array = array == nullptr ? finding.what : array->name;
  finding.goesOn = array != nullptr && isGoneOver(*array, address, bytes);
  if (finding.goesOn) noteIndex(std::move(finding));
  else foundIndex(std::move(finding), array);
}

void foundMisaligned(const char* address, const std::string& type, const std::string& rule,
                     std::size_t past, const std::string& where, bool isEnd) {
  Finding finding = {.bug = Bug::misaligned,
                     .space = Space::global,
                     .memory = "a local variable",
                     .what = type,
                     .where = where};
  Array* const array = arrayThatHolds(address, 1);
  if (array != nullptr) {
    finding.memory = memoryName(*array) + " memory";
    finding.what = nameOf(*array, address - array->begin, 0);
  }
  finding.array = finding.what;
  finding.rule = rule + ", and this address is " + std::to_string(past) +
                 (past == 1 ? " byte" : " bytes") + " past one. " +
                 (isEnd ? "A GPU ends the kernel with \"misaligned address\"."
                        : "CUDA leaves the result undefined.");
  foundIndex(std::move(finding), array);
}

void foundIndex(Finding finding, Array* array) {
  if (running.counts && finding.later.code == 0) seeTurn();  // its access has not been recorded
  passOnUndefined();  // the address may depend on an undefined value
  running.watch = Watch::nothing;
  if (running.counts)
    seeStop(finding.what + (finding.what.starts_with("index ") ? finding.size : ""), array,
            finding.later.code, finding.later.writes, finding.where);
  noteIndex(std::move(finding));
  thisScheduler().abandonThread();
}

std::vector<Finding> takeFindings() {
  decideRaces();
  const std::lock_guard lock(found().mutex);
  const auto isGuess = [](const Side& one, const Side& other) {
    if (one.writes || one.atomic || !other.atomic) return false;
    const auto swap = found().swaps.find(other.code);
    return found().guesses.count(one.code) != 0 ||
           (found().compared.count(one.code) != 0 && swap != found().swaps.end() &&
            swap->second.isSame);
  };
  for (Finding& f : found().list)
    if (f.bug == Bug::race && (isGuess(f.earlier, f.later) || isGuess(f.later, f.earlier)))
      f.isNote = true;
  found().numbers.clear();
  found().undefined.clear();
  ++found().turn;
  return std::exchange(found().list, {});
}

}  // namespace nbody::executor::checker
