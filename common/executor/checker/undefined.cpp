#include "executor/checker/undefined.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

struct Held {
  bool any = false;
  Undefined byThread[1024] = {};
  Undefined passed[1024] = {};
};
Held& held() {
  static thread_local const auto own = makeState<Held>();
  return *own;
}

/// Is a variable itself or a copy of it, and not a value computed from it.
constexpr Undefined kItself = Undefined{1} << 63;

/// Returns what threads of the OS thread's block have stored: undefined values by their address, and
/// 0 for a defined one with the bits of memory that was never written.
std::unordered_map<const void*, Undefined>& stored() {
  static thread_local const auto own = makeState<std::unordered_map<const void*, Undefined>>();
  return *own;
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

/// Returns the findings of all undefined values that the running thread has stored in its stack.
Undefined storedInStack() {
  Undefined all = 0;
  for (const auto& [address, findings] : stored())
    if (running.stack.holds(address)) all |= findings;
  return all;
}

/// Makes memory count as never written, because a thread stores an undefined value there.
void keepUndefined(Array& array, void* address, std::size_t bytes, Undefined findings) {
  markUnwritten(address, bytes);
  if (findings == 0) return;
  const std::size_t first = array.offsetOf(address);
  for (std::size_t at = first / kWordBytes * kWordBytes; at < first + bytes; at += kWordBytes)
    stored()[array.begin + at] = findings;
}

}  // namespace

Undefined storedIn(const void* address) {
  const auto known = stored().find(address);
  return known == stored().end() ? 0 : known->second;
}

void passOnUndefined() {
  const Pause pause;
  setReached(std::exchange(running.undefined, 0));
}

void beginUndefined() {
  stored().clear();
  if (!std::exchange(held().any, false)) return;
  std::fill_n(held().byThread, 1024, 0);
  std::fill_n(held().passed, 1024, 0);
}

void loadUndefined(int thread) { running.undefined = held().any ? held().byThread[thread] : 0; }

void saveUndefined() {
  if (running.undefined == 0 && running.passed == 0 && !held().any) return;
  held().any = true;
  held().passed[running.thread] = std::exchange(running.passed, 0);
  held().byThread[running.thread] = std::exchange(running.undefined, 0);
}

void shareUndefined(int firstThread, unsigned lanes) {
  if (!held().any) return;
  Undefined all = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    all |= held().byThread[firstThread + std::countr_zero(rest)] |
           held().passed[firstThread + std::countr_zero(rest)];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    held().byThread[firstThread + std::countr_zero(rest)] = all;
}

void shuffleUndefined(int firstThread, unsigned lanes, const int (&sources)[kLanes]) {
  if (!held().any) return;
  Undefined before[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    before[lane] = held().byThread[firstThread + lane] | held().passed[firstThread + lane];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    held().byThread[firstThread + lane] |= before[sources[lane]];
  }
}

void readWrongLane(int thread, const std::string& text, const std::string& line) {
  held().any = true;
  held().byThread[thread] |= foundWrongLane(thread, text, line);
}

void leaveUndefined() {
  if (!std::exchange(held().any, false)) return;
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
Undefined nbodyLoadedPattern(const void* address, const char* name, long first, long second) {
  if (!isWatched() || !running.stack.holds(address)) return 0;
  const void* const code = __builtin_return_address(0);
  const Pause pause;
  if (const auto known = stored().find(address); known != stored().end()) return known->second;
  // A copy of a struct has other addresses. The mistake is where its undefined value comes from.
  if (const Undefined origin = storedInStack(); origin != 0) return origin;
  std::string text = name;
  for (const long index : {first, second})
    if (const std::size_t at = text.find('%'); at != std::string::npos)
      text.replace(at, 1, std::to_string(index));
  return kItself | foundUnwrittenLocal(text, "", offsetInProgram(code));
}
/// A store has written these bits, but they are a value.
void nbodyStoredPattern(const void* address) {
  if (!isWatched() || !running.stack.holds(address)) return;
  const Pause pause;
  stored()[address] = 0;
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
    stored()[address] = findings == 0 ? 0 : findings | (value & kItself);
    return;
  }
  const bool isItself = (value & kItself) != 0, isMember = (value >> 62 & 1) != 0;
  Array* const array = arrayThatHolds(address, bytes);
  if (array == nullptr || !isItself || (array->space == Space::global && !isMember))
    setReached(findings);
  else keepUndefined(*array, address, bytes, findings);
}
/// A struct was copied from local memory. Members that were never written stay so. Those that were
/// computed from such a value are results.
void nbodyCopiedLocal(void* to, const void* from, std::size_t bytes) {
  if (!isWatched() || !running.stack.holds(from)) return;
  const Pause pause;
  Array* const array = arrayThatHolds(to, bytes);
  if (array == nullptr) return;
  for (std::size_t at = 0; at + kWordBytes <= bytes; at += kWordBytes) {
    constexpr std::uint32_t kPattern = 0xfefefefe;
    const char* const word = static_cast<const char*>(from) + at;
    if (std::memcmp(word, &kPattern, kWordBytes) != 0) continue;
    const Undefined known = stored().count(word) == 0 ? kItself : stored()[word];
    if (known == 0) continue;
    if ((known & kItself) == 0) setReached(known);
    keepUndefined(*array, static_cast<char*>(to) + at, kWordBytes, known & ~kItself);
  }
}
}
