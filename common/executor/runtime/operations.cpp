#include "executor/runtime/operations.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

/// Returns queued operations, in the order of the program.
std::deque<OperationPointer>& pending() {
  static auto& thePending = *new std::deque<OperationPointer>;
  return thePending;
}

bool isOpen(const OperationPointer& operation) {
  return operation && !operation->isDone && !operation->isRunning;
}

bool comesAfter(const Operation& later, const Operation& earlier) {
  return earlier.stream < later.before.size() && later.before[earlier.stream] >= earlier.number;
}

/// Returns whether queued work might also run before the operation.
bool isEarly(const Operation& operation) {
  return std::any_of(pending().begin(), pending().end(), [&](const OperationPointer& other) {
    return other.get() != &operation && isOpen(other) && !comesAfter(*other, operation);
  });
}

bool nobodyWaits = false;  // work runs by itself

void runOne(Operation& operation) {
  if (operation.isDone || operation.isRunning) return;
  operation.isRunning = true;
  for (const auto& pages : operation.closed)
    mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE);
  operation.closed.clear();
  if (checker::kOn)
    checker::beginOperation({operation.what, operation.caller.file, operation.caller.line,
                             operation.stream, operation.number, operation.before,
                             isEarly(operation), operation.inARow});
  operation.run();
  for (const std::string& text : reportsIn(checker::endOperation())) reportFinding(text);
  compareEarlyReads(operation, nobodyWaits);
  operation.isDone = true;
  operation.run = nullptr;
  operation.uses = {};
  operation.after.clear();
}

}  // namespace

/// Makes the operation wait for another one too.
static void follow(const OperationPointer& operation, const OperationPointer& earlier) {
  if (earlier && !earlier->isDone && earlier != operation) operation->after.push_back(earlier);
}

void waitForEvent(Stream& stream, const Event& event) {
  addToClock(stream, event.clock);
  if (!isOpen(event.operation)) return;
  const OperationPointer wait = enqueueOperation(&stream, "cudaStreamWaitEvent", {"", 0}, [] {});
  follow(wait, event.operation);
}

/// Starts to run work without a wait of the program, because a host thread may poll its results.
static void startProgress();

OperationPointer enqueueOperation(cudaStream_t handle, std::string what, Caller caller,
                                  std::function<void()> run, Uses uses) {
  Stream* stream = streamOf(handle);
  auto operation = std::make_shared<Operation>();
  operation->what = std::move(what);
  operation->caller = caller;
  operation->run = std::move(run);
  operation->uses = std::move(uses);
  if (stream->capture != nullptr) {
    capture(*stream, *operation);
    operation->isDone = true;
    return operation;
  }
  setOrder(*operation, *stream);
  if (!runtimeSettings().lazy) {
    runOne(*operation);
    return operation;
  }
  follow(operation, stream->last);
  if (stream == &legacyStream()) {
    forEachBlocking([&](Stream& other) { follow(operation, other.last); });
    for (const OperationPointer& orphan : stream->orphans) follow(operation, orphan);
    stream->orphans.clear();
  } else if (!stream->isNonBlocking) {
    follow(operation, legacyStream().last);
  }
  stream->last = operation;
  pending().push_back(operation);
  closeUsed(*operation);
  startProgress();
  return operation;
}

void runWithEarlier(const OperationPointer& operation) {
  if (!isOpen(operation)) return;
  std::vector<OperationPointer> stack{operation};
  while (!stack.empty()) {
    const OperationPointer top = stack.back();
    const auto first = std::find_if(top->after.begin(), top->after.end(), isOpen);
    if (first != top->after.end()) {
      stack.push_back(*first);
      continue;
    }
    stack.pop_back();
    runOne(*top);
  }
  std::erase_if(pending(), [](const OperationPointer& o) { return o->isDone; });
  if (!pending().empty()) return;
  checker::unwatchHost();
  reportHeld();
}

void finish(const OperationPointer& operation) {
  if (!operation) return;
  runWithEarlier(operation);
  VectorClock clock = operation->before;
  if (clock.size() <= std::max(operation->stream, kInARow))
    clock.resize(std::max(operation->stream, kInARow) + 1);
  clock[operation->stream] = std::max(clock[operation->stream], operation->number);
  clock[kInARow] = std::max(clock[kInARow], operation->inARow);
  hostWaited(clock);
}

void finishStream(Stream* stream) {
  if (stream == &legacyStream())
    forEachBlocking([](Stream& other) { finish(OperationPointer(other.last)); });
  finish(OperationPointer(stream->last));
  hostWaitedFor(*stream);
}

/// Runs all operations. If nothing orders two of them, the newer one runs first.
static void runAll() {
  while (!pending().empty()) {
    const OperationPointer newest = pending().back();
    if (newest->isRunning) return;  // a host function of the queue asked for it
    runWithEarlier(newest);
  }
}

void finishAll() {
  runAll();
  hostWaitedForAll();
}

bool hasPending() { return !pending().empty(); }

std::vector<OperationPointer> pendingOperations() { return {pending().begin(), pending().end()}; }

bool worksByItself() { return nobodyWaits; }

static void startProgress() {
  static bool isStarted = false;
  if (std::exchange(isStarted, true)) return;
  std::thread([] {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ApiCall::whenIdle(std::chrono::milliseconds(200), [] {
        nobodyWaits = true;
        runAll();
        nobodyWaits = false;
      });
    }
  }).detach();
}

}  // namespace nbody::executor::runtime
