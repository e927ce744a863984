#include "executor/checker/operations.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "executor/checker/check.hpp"
#include "executor/checker/counts.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/report.hpp"
#include "executor/messages.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

using InfoPointer = std::shared_ptr<const OperationInfo>;

struct Operations {
  InfoPointer current;
  std::optional<Operation> begun;  ///< set from beginOperation() to endOperation()
  std::deque<InfoPointer> recent;  ///< operations that later ones may not be ordered after
  std::uint32_t stream = 0;  ///< the stream of all operations so far
  bool severalStreams = false;
  Slice boundary = 0;
  Slice orderedBefore = 0;
};
/// Returns them. Never destroyed; see slices.cpp.
Operations& all() {
  static auto& theOperations = *new Operations;
  return theOperations;
}

// Largest number of remembered operations. The accesses of older ones count as ordered.
constexpr std::size_t kMostRecent = 1024;

bool comesAfter(const Operation& later, const Operation& earlier) {
  if (later.number == 0 || earlier.number == 0 || later.stream == earlier.stream) return true;
  return earlier.stream < later.after.size() && later.after[earlier.stream] >= earlier.number;
}

void forgetOldOnes(const Operation& operation) {
  if (!all().recent.empty() && operation.stream != all().stream) all().severalStreams = true;
  all().stream = operation.stream;
  if (operation.number == 0 || !all().severalStreams) all().recent.clear();
  while (all().recent.size() > kMostRecent) all().recent.pop_front();
}

/// Makes \p operation the current one.
void begin(Operation operation, const Grid* grid) {
  forgetOldOnes(operation);
  OperationInfo info;
  info.operation = std::move(operation);
  info.isLaunch = grid != nullptr;
  if (grid != nullptr) {
    info.isCooperative = grid->cooperative;
    info.blocks = grid->blocks;
    info.threads = grid->threads;
    info.sharedBytes = grid->sharedBytes;
  }
  const unsigned generation = slicesGeneration();
  info.first = all().boundary = all().orderedBefore = boundarySlice();
  if (slicesGeneration() != generation) all().recent.clear();  // their slices are forgotten
  for (const InfoPointer& earlier : all().recent) {
    if (comesAfter(info.operation, earlier->operation)) continue;
    all().orderedBefore = earlier->first;
    break;
  }
  forgetOwners(all().recent.empty() ? info.first : all().recent.front()->first);
  all().current = std::make_shared<const OperationInfo>(std::move(info));
  all().recent.push_back(all().current);
}

}  // namespace

const InfoPointer& currentOperation() { return all().current; }

void beginLaunch(const Grid& grid) {
  Operation launch = all().begun.value_or(Operation{});
  launch.file = grid.file;
  launch.line = grid.line;
  begin(std::move(launch), &grid);
}

void passGridBarrier() { all().boundary = all().orderedBefore = boundarySlice(); }

void joinOperation() {
  running.launch = all().boundary;
  running.orderedBefore = all().orderedBefore;
  running.operationFirst = all().boundary;
  running.knownOrdered = {};
}

bool isOfOrderedOperation(Slice slice) {
  const auto& recent = all().recent;  // several OS threads read it while blocks run; none writes
  const auto after =
      std::upper_bound(recent.begin(), recent.end(), slice,
                       [](Slice s, const InfoPointer& operation) { return s < operation->first; });
  const Slice first = after == recent.begin() ? 1 : after[-1]->first;
  if (after != recent.begin() && !comesAfter(all().current->operation, after[-1]->operation))
    return false;
  running.knownOrdered[1] = running.knownOrdered[0];
  running.knownOrdered[0] = {first, (*after)->first - first};
  return true;
}

bool isOwnElsewhere(Slice slice) { return isOwnOlder(slice) || !ownerOf(slice); }

void beginOperation(Operation operation) {
  countOperation(operation.inARow);
  all().begun = std::move(operation);
}

/// Makes the calling OS thread the operation's only one until leave().
static void enter() {
  if (all().current == nullptr || all().current->operation.number != all().begun->number ||
      all().current->operation.stream != all().begun->stream || all().current->isLaunch)
    checker::begin(*all().begun, nullptr);
  joinOperation();
  running.watch = Watch::races;
  running.epochFirst = startSlices(all().current, 0, 1);
  running.setActor(0, running.epochFirst);
}

static void leave() {
  running.watch = Watch::nothing;
  endSlices();
}

/// Returns whether the operation itself makes the access, and not a copy in a kernel.
static bool isOfOperation() { return all().begun && !currentThread.inKernel; }

void accessRange(const void* begin, std::size_t bytes, bool writes) {
  Array* const array = isOfOperation() ? arrayThatHolds(begin, bytes) : nullptr;
  if (array == nullptr) return;
  enter();
  const std::size_t offset = array->offsetOf(begin);
  if (writes) checkWords<Action::write>(*array, offset, offset + bytes, 0);
  else checkWords<Action::copyFrom>(*array, offset, offset + bytes, 0);
  leave();
}

void allocateRange(const void* begin, std::size_t bytes) {
  const Array* const array = arrayThatHolds(begin, bytes);
  if (array == nullptr) return;
  // Bytes that other streams have written too early stay written. All others are unwritten.
  const std::vector<std::uint8_t> before(array->written, array->written + array->wordCount());
  accessRange(begin, bytes, true);
  for (std::size_t word = 0; word < before.size(); ++word) {
    const unsigned more = array->written[word] & ~kWholeWord;
    array->written[word] = static_cast<std::uint8_t>(more | (before[word] & kWholeWord));
  }
}

bool isNowhereWritten(const void* begin, std::size_t bytes) {
  const Array* const array = arrayThatHolds(begin, bytes);
  if (array == nullptr) return false;
  const std::size_t offset = array->offsetOf(begin);
  for (std::size_t word = offset / kWordBytes; word * kWordBytes < offset + bytes; ++word)
    if ((array->written[word] & bytesOfWord(word, offset, offset + bytes)) != 0) return false;
  return true;
}

Unwritten unwrittenElements(const void* begin, std::size_t bytes) {
  const Array* const array = arrayThatHolds(begin, bytes);
  if (array == nullptr) return {};
  const std::size_t size = std::max(array->elementBytes, kWordBytes) / kWordBytes;
  const std::size_t offset = array->offsetOf(begin);
  const std::size_t begins = offset / kWordBytes / size,
                    ends = (offset + bytes) / kWordBytes / size;
  Unwritten unwritten = {0, ends - begins};
  for (std::size_t element = begins; element < ends; ++element) {
    const std::uint8_t* const words = array->written + element * size;
    unwritten.elements +=
        std::all_of(words, words + size, [](auto word) { return (word & kWholeWord) == 0; });
  }
  return unwritten;
}

void notePartlyWritten(const void* begin, Unwritten unwritten) {
  if (unwritten.elements == 0 || unwritten.elements == unwritten.of || !isOfOperation()) return;
  const Array& array = *arrayThatHolds(begin, 1);
  const Operation& operation = *all().begun;
  const std::string where = whereAllocated(array);
  addNote(
      "executor: note: partly written: " + std::to_string(unwritten.elements) + " of " +
      std::to_string(unwritten.of) + " elements of " + inQuotes(array.name) +
      (where.empty() ? "" : " (allocated at " + where + ")") + " were never written, and " +
      operation.what + " at " + place(operation.file.c_str(), operation.line) +
      " copies them to the host.\n  Does the grid have a thread for every element? The number of "
      "blocks must be rounded up.");
}

void readUnwritten(const void* begin) {
  Array* const array = isOfOperation() ? arrayThatHolds(begin, 1) : nullptr;
  if (array == nullptr) return;
  enter();
  foundUnwritten(*array, array->offsetOf(begin) / kWordBytes, {running.slice, 0, 1, 0, false},
                 true);
  leave();
}

void watchHost(const void* begin, std::size_t bytes,
               void (*touched)(const void*, std::size_t, bool, const void*)) {
  const char* low = static_cast<const char*>(begin);
  const char* high = low + bytes;
  if (hostWatch.bytes > 0) {
    low = std::min(low, hostWatch.begin.load());
    high = std::max(high, hostWatch.begin + hostWatch.bytes);
  }
  hostWatch.touched = touched;
  hostWatch.bytes = 0;  // while the two numbers do not belong together
  hostWatch.begin = low;
  hostWatch.bytes = high - low;
}

void unwatchHost() { hostWatch.bytes = 0; }

void enterRuntime(int calls) { callsOfRuntime += calls; }
int leaveRuntime() { return std::exchange(callsOfRuntime, 0); }

std::string endOperation() {
  all().begun.reset();
  return joined(describe(takeFindings()));
}

}  // namespace nbody::executor::checker
