#include "executor/checker/undefined.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/see.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

struct Held {
  Undefined byThread[1024] = {};
  Undefined passed[1024] = {};
};
Held& held() {
  static thread_local const auto own = makeState<Held>();
  return *own;
}

/// Is a variable itself or a copy of it, and not a value computed from it.
constexpr Undefined kItself = Undefined{1} << 63;

/// Facts about a value with the bits of memory that was never written.
struct Known {
  Undefined findings = 0;  ///< 0, and no array: it is defined
  Array* array = nullptr;  ///< the value is a copy of this array's, which was never written
  std::size_t word = 0;
  std::uint32_t code = 0;  ///< the place of that copy
};

using ByAddress = std::unordered_map<const char*, Known>;

/// Returns what threads of the OS thread's block have stored, by the address: of each word, and of
/// each smaller number. Other values with these bits were never written.
ByAddress& stored() {
  static thread_local const auto own = makeState<ByAddress>();
  return *own;
}

/// Returns the bytes that are undefined after the copy of a struct, in members of one or two bytes.
ByAddress& undefinedSmall() {
  static thread_local const auto own = makeState<ByAddress>();
  return *own;
}

/// Returns what is known at an address; nothing if nothing is.
std::optional<Known> knownAt(const ByAddress& known, const void* address) {
  const auto position = known.find(static_cast<const char*>(address));
  return position == known.end() ? std::nullopt : std::optional(position->second);
}

void remember(const void* address, const Known& known) {
  running.hasStored = true;
  stored()[static_cast<const char*>(address)] = known;
}

void forget(ByAddress& known, const void* address, std::size_t bytes) {
  const char* const first = static_cast<const char*>(address);
  if (bytes < known.size())
    for (std::size_t at = 0; at < bytes; ++at) known.erase(first + at);
  else std::erase_if(known, [&](const auto& one) { return Range{first, bytes}.holds(one.first); });
}
void forget(const void* address, std::size_t bytes) {
  forget(stored(), address, bytes);
  forget(undefinedSmall(), address, bytes);
}
void forgetSmall(const void* address, std::size_t bytes) {
  if (undefinedSmall().empty()) return;
  const Pause pause;
  forget(undefinedSmall(), address, bytes);
}

constexpr std::uint32_t kPattern = 0xfefefefe;

bool isPattern(const char* word) { return std::memcmp(word, &kPattern, kWordBytes) == 0; }

}  // namespace

bool hasPattern(const void* memory, std::size_t bytes) {
  for (std::size_t at = 0; at + kWordBytes <= bytes; at += kWordBytes)
    if (isPattern(static_cast<const char*>(memory) + at)) return true;
  return false;
}

namespace {

/// A struct that a call or a return passes on: what is known of its words.
struct Passed {
  int number;  ///< of the argument; -1: the result
  std::size_t bytes;
  std::vector<std::pair<std::size_t, Known>> known;
};
std::vector<Passed>& passed() {
  static thread_local const auto own = makeState<std::vector<Passed>>();
  return *own;
}

/// Returns the findings of a value that a thread uses.
Undefined findingsOf(const Known& known) {
  if (known.array == nullptr) return known.findings;
  return known.findings | findUnwritten(*known.array, known.word, known.code);
}

/// Returns the findings of a value: \p lines has "name|file|line" for each bit from kFindings on.
Undefined findingsOf(Undefined value, const char* lines) {
  Undefined all = value & ((Undefined{1} << kFindings) - 1);
  std::istringstream rest(lines);
  std::string text;
  for (int bit = kFindings; std::getline(rest, text); ++bit) {
    if ((value >> bit & 1) == 0) continue;
    const std::size_t line = text.rfind('|'), file = text.rfind('|', line - 1);
    all |= foundUnwrittenLocal(
        text.substr(0, file),
        place(text.substr(file + 1, line - file - 1).c_str(), std::atoi(text.c_str() + line + 1)),
        0);
  }
  return all;
}

/// Makes memory count as never written, because a thread stores an undefined value there.
void keepUndefined(Array& array, void* address, std::size_t bytes, Undefined findings) {
  markUnwritten(address, bytes);
  if (findings == 0) return;
  const std::size_t first = array.offsetOf(address);
  for (std::size_t at = first / kWordBytes * kWordBytes; at < first + bytes; at += kWordBytes)
    remember(array.begin + at, {findings});
}

bool isWritten(const Array& array, std::size_t word) {
  return (array.written[word] & kWholeWord) == kWholeWord;
}

bool isByteWritten(const Array& array, std::size_t at) {
  return (array.written[at / kWordBytes] >> at % kWordBytes & 1) != 0;
}

bool isNeverWritten(const Array& array, const char* from, std::size_t bytes) {
  const std::size_t first = array.offsetOf(from);
  for (std::size_t at = first; at < first + bytes; ++at)
    if (isByteWritten(array, at)) return false;
  return true;
}

/// Remembers after a copy to a local variable which bytes of its small members are undefined.
/// \p array: the one that it was copied from; null: a local variable.
void copySmall(const char* to, const char* from, std::size_t bytes, Array* array,
               std::uint32_t code) {
  forget(undefinedSmall(), to, bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    if (array == nullptr) {
      if (const auto known = knownAt(undefinedSmall(), from + at))
        undefinedSmall().emplace(to + at, *known);
    } else if (running.copy.remembersSmall && at < 64 && (running.copy.small >> at & 1) != 0) {
      const std::size_t offset = array->offsetOf(from + at);
      if (isByteWritten(*array, offset)) continue;
      running.hasStored = true;
      undefinedSmall()[to + at] = {kItself, array, offset / kWordBytes, code};
    }
  }
}

/// Remembers after a copy to a local variable which of its words are undefined.
void copyToLocal(char* to, const char* from, std::size_t bytes, std::uint32_t code) {
  const bool isLocal = running.stack.holds(from),
             isSkipped = std::exchange(running.copy.foundUnwritten, false);
  Array* const array = isLocal ? nullptr : arrayThatHolds(from, bytes);
  // The copy is a mistake at once if none of the struct's members was ever written.
  if (array != nullptr && isSkipped && isNeverWritten(*array, from, bytes))
    setReached(findUnwritten(*array, array->offsetOf(from) / kWordBytes, code));
  if (isLocal || isSkipped) copySmall(to, from, bytes, array, code);
  for (std::size_t at = 0; at + kWordBytes <= bytes; at += kWordBytes) {
    const std::size_t word = array == nullptr ? 0 : array->offsetOf(from + at) / kWordBytes;
    const bool isSmall = at < 64 && (running.copy.small >> at & kWholeWord) != 0;
    if (array != nullptr && isSkipped && !isSmall && !isWritten(*array, word)) {
      std::memcpy(to + at, &kPattern, kWordBytes);
      remember(to + at, {kItself, array, word, code});
    } else if (!isPattern(to + at)) {
      continue;
    } else if (!isLocal) {
      remember(to + at, {});
    } else if (const auto known = knownAt(stored(), from + at)) {
      remember(to + at, *known);
    } else {
      stored().erase(to + at);
    }
  }
}

/// Does the same after a copy from a local variable. Members that were never written stay so. Those
/// that were computed from such a value are results, and so is a struct that nothing has written.
void copyFromLocal(char* to, const char* from, std::size_t bytes, const char* name,
                   std::uint32_t code) {
  Array* const array = arrayThatHolds(to, bytes);
  if (array == nullptr) return;
  std::size_t copies = 0, unwritten = 0;
  for (std::size_t at = 0; at + kWordBytes <= bytes; at += kWordBytes) {
    if (!isPattern(from + at)) continue;
    const Known known = knownAt(stored(), from + at).value_or(Known{kItself});
    if (known.findings == 0) continue;
    if ((known.findings & kItself) == 0) setReached(known.findings);
    copies += known.array != nullptr;
    unwritten += known.array == nullptr && (known.findings & kItself) != 0;
    keepUndefined(*array, to + at, kWordBytes, known.findings & ~kItself);
  }
  for (std::size_t at = 0; !undefinedSmall().empty() && at < bytes; ++at)
    if (undefinedSmall().contains(from + at)) markUnwritten(to + at, 1);
  const std::size_t words = bytes / kWordBytes;
  if (name != nullptr && unwritten == words && words > 0 && array->space == Space::global) {
    markWritten(to, bytes);
    return setReached(foundUnwrittenLocal(name, "", code));
  }
  if (copies != words) return;
  for (std::size_t at = 0; at < bytes; at += kWordBytes)
    setReached(findingsOf(stored()[from + at]));
}

/// Does the same for an array's struct that another array gets.
void copyBetweenArrays(char* to, const char* from, std::size_t bytes, std::uint32_t code) {
  running.copy.foundUnwritten = false;
  Array* const array = arrayThatHolds(from, bytes);
  if (array == nullptr || arrayThatHolds(to, bytes) == nullptr) return;
  if (!isNeverWritten(*array, from, bytes)) return copyWritten(to, from, bytes);
  setReached(findUnwritten(*array, array->offsetOf(from) / kWordBytes, code));
}

}  // namespace

Undefined storedIn(const void* address) {
  const auto known = knownAt(stored(), address);
  return known ? findingsOf(*known) : 0;
}

void passOnUndefined() {
  const Pause pause;
  setReached(std::exchange(running.undefined, 0));
}

void beginUndefined() {
  running.hasStored = false;
  stored().clear();
  undefinedSmall().clear();
  if (!std::exchange(running.holdsUndefined, false)) return;
  std::fill_n(held().byThread, 1024, 0);
  std::fill_n(held().passed, 1024, 0);
}

void loadUndefined(int thread) {
  running.undefined = running.holdsUndefined ? held().byThread[thread] : 0;
}

void saveUndefined() {
  if (running.undefined == 0 && running.passed == 0 && !running.holdsUndefined) return;
  running.holdsUndefined = true;
  held().passed[running.thread] = std::exchange(running.passed, 0);
  held().byThread[running.thread] = std::exchange(running.undefined, 0);
}

void shareUndefined(int firstThread, unsigned lanes) {
  if (!running.holdsUndefined) return;
  Undefined all = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    all |= held().byThread[firstThread + std::countr_zero(rest)] |
           held().passed[firstThread + std::countr_zero(rest)];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    held().byThread[firstThread + std::countr_zero(rest)] = all;
}

void shuffleUndefined(int firstThread, unsigned lanes, const int (&sources)[kLanes]) {
  if (!running.holdsUndefined) return;
  Undefined before[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    before[lane] = held().byThread[firstThread + lane] | held().passed[firstThread + lane];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    held().byThread[firstThread + lane] |= before[sources[lane]];
  }
}

void readWrongLane(int thread, const std::string& text, const std::string& line) {
  running.holdsUndefined = true;
  held().byThread[thread] |= foundWrongLane(thread, text, line);
}

void leaveUndefined() {
  if (!std::exchange(running.holdsUndefined, false)) return;
  for (Undefined& findings : held().byThread) setReached(std::exchange(findings, 0));
}

}  // namespace nbody::executor::checker

using namespace nbody::executor::checker;

extern "C" {
// nvcc/undefined_values.cpp inserts calls of these functions.
Undefined nbodyHeldUndefined() { return running.undefined; }
Undefined nbodyTakeUndefined(Undefined held) {
  const Undefined got = running.undefined & ~held;
  running.undefined = held;
  return got;
}
/// The value that was just loaded is only compared.
void nbodyOnlyCompares(const void* address) {
  if (running.watch == Watch::races) noteCompared(address);
}
/// The next store has the value that the same statement has loaded from there.
void nbodyKeepsValue() {
  if (isWatched()) running.undefined |= kKeepsValue;
}
/// A result may depend on the value.
void nbodyUseUndefined(Undefined value, const char* lines) {
  if (!isWatched()) return;
  const Pause pause;
  running.undefined |= findingsOf(value, lines);
}
/// Other lanes get the value.
void nbodyPassUndefined(Undefined value, const char* lines) {
  if (!isWatched()) return;
  const Pause pause;
  running.passed = findingsOf(value, lines);
}
/// A load has given the bits of memory that was never written. Returns its findings, with kItself
/// unless the value was computed. \p name may have a % for each of two indices.
Undefined nbodyLoadedPattern(const void* address, std::size_t bytes, const char* name, long first,
                             long second) {
  if (!isWatched() || !running.stack.holds(address)) return 0;
  const void* const code = __builtin_return_address(0);
  const Pause pause;
  Undefined all = 0;
  bool isKnown = running.hasStored;
  for (std::size_t at = 0; isKnown && at < bytes; at += kWordBytes) {
    const auto known = knownAt(stored(), static_cast<const char*>(address) + at);
    isKnown = known.has_value();
    if (isKnown) all |= findingsOf(*known);
  }
  if (isKnown || running.isResumed) return all;
  std::string text = name;
  for (const long index : {first, second})
    if (const std::size_t at = text.find('%'); at != std::string::npos)
      text.replace(at, 1, std::to_string(index));
  return kItself | foundUnwrittenLocal(text, "", offsetInProgram(code));
}
/// A store has written these bits, but they are a value.
void nbodyStoredPattern(const void* address, std::size_t bytes) {
  if (!isWatched() || !running.stack.holds(address)) return;
  const Pause pause;
  for (std::size_t at = 0; at < bytes; at += kWordBytes)
    remember(static_cast<const char*>(address) + at, {});
}
/// The memory belongs to a new variable, which has no value yet.
void nbodyDeclared(const void* address, std::size_t bytes) {
  if (!running.hasStored || !isWatched()) return;
  const Pause pause;
  forget(address, bytes);
}
/// A store has written an undefined value. In local memory it stays one. In shared memory, it is like
/// memory that was never written, if it is a variable's own value.
void nbodyStoredUndefined(void* address, std::size_t bytes, Undefined value, const char* lines) {
  if (!isWatched()) return;
  const bool isLocal = running.stack.holds(address);
  const Pause pause;
  const Undefined findings = findingsOf(value & ~(Undefined{3} << 62), lines);
  if (isLocal) {
    std::memset(address, 0xfe, bytes);
    for (std::size_t at = 0; at < bytes; at += kWordBytes)
      remember(static_cast<char*>(address) + at,
               {findings == 0 ? 0 : findings | (value & kItself)});
    return;
  }
  const bool isItself = (value & kItself) != 0, isMember = (value >> 62 & 1) != 0;
  Array* const array = arrayThatHolds(address, bytes);
  if (array == nullptr || !isItself || (array->space == Space::global && !isMember))
    setReached(findings);
  else keepUndefined(*array, address, bytes, findings);
}
/// The thread is about to copy a struct. Its members may be undefined until a statement uses them.
/// \p small: a bit for each byte of members of one or two bytes. \p isTold: nbodyStoredSmall() and
/// nbodyLoadedSmall() tell of all their uses.
void nbodyBeginCopy(const void* from, std::size_t bytes, std::uint64_t small, int isTold) {
  if (running.counts) finishSeenWrite();
  running.copy = {
      {static_cast<const char*>(from), bytes}, running.copy.foundUnwritten, small, isTold != 0};
}
/// A member of one or two bytes, or a variable with such members, has got a value.
void nbodyStoredSmall(const void* address, std::size_t bytes) {
  if (running.hasStored && isWatched()) forgetSmall(address, bytes);
}
/// Returns the findings of such a member.
Undefined nbodyLoadedSmall(const void* address, std::size_t bytes) {
  if (!running.hasStored || !isWatched()) return 0;
  const Pause pause;
  Undefined all = 0;
  for (std::size_t at = 0; at < bytes; ++at)
    if (const auto known = knownAt(undefinedSmall(), static_cast<const char*>(address) + at))
      all |= findingsOf(*known);
  return all;
}
/// A struct was copied. \p name: the local variable that it was copied from, if the bytes show whether
/// it was ever written.
void nbodyCopied(void* to, const void* from, std::size_t bytes, const char* name) {
  running.copy.from = {};
  if (areArgumentsDefined && launchArguments.holds(from) && !running.hasStored) return;
  if (!isWatched()) return;
  const bool isToLocal = running.stack.holds(to), isFromLocal = running.stack.holds(from);
  const bool isSame = isFromLocal && !running.hasStored;  // all of them were never written
  if (!running.copy.foundUnwritten && (!isFromLocal || (isToLocal && isSame)) &&
      !(isToLocal && hasPattern(to, bytes))) {
    if (isToLocal && running.hasStored) forgetSmall(to, bytes);
    return;
  }
  const std::uint32_t code = offsetInProgram(__builtin_return_address(0));
  const Pause pause;
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  if (isToLocal) copyToLocal(target, source, bytes, code);
  else if (isFromLocal) copyFromLocal(target, source, bytes, name, code);
  else copyBetweenArrays(target, source, bytes, code);
}
/// A call is about to pass a struct by value, or a return.
void nbodyPassStruct(const void* address, std::size_t bytes, int number) {
  if (!isWatched() || !hasPattern(address, bytes)) return;
  const Pause pause;
  std::erase_if(passed(), [&](const Passed& one) { return number <= 0 || one.number == number; });
  passed().push_back({number, bytes, {}});
  for (std::size_t at = 0; running.hasStored && at < bytes; at += kWordBytes)
    if (const auto known = knownAt(stored(), static_cast<const char*>(address) + at))
      passed().back().known.emplace_back(at, *known);
}
/// A function has got a struct by value, or a call has got its result. If no code of the program has
/// passed it on, all of it is defined.
void nbodyTakeStruct(void* address, std::size_t bytes, int number) {
  if (!isWatched()) return;
  if (running.hasStored) forgetSmall(address, bytes);
  if (!hasPattern(address, bytes)) return;
  const Pause pause;
  char* const memory = static_cast<char*>(address);
  const auto from = std::find_if(passed().begin(), passed().end(), [&](const Passed& one) {
    return one.number == number && one.bytes == bytes;
  });
  forget(address, bytes);
  if (from == passed().end()) {
    for (std::size_t at = 0; at < bytes; at += kWordBytes) remember(memory + at, {});
    return;
  }
  for (const auto& [at, known] : from->known) remember(memory + at, known);
  passed().erase(from);
}
}
