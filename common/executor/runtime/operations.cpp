#include "executor/runtime/operations.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <set>
#include <thread>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

struct Queue {
  Stream legacy;
  std::set<Stream*> streams;
  std::deque<OperationPointer> pending;  ///< in the order of the program
};
Queue& queue() {
  static auto& theQueue = *new Queue;
  return theQueue;
}

bool isOpen(const OperationPointer& operation) {
  return operation && !operation->isDone && !operation->isRunning;
}

void runOne(Operation& operation) {
  if (operation.isDone || operation.isRunning) return;
  operation.isRunning = true;
  for (const auto& pages : operation.closed)
    mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE);
  operation.closed.clear();
  operation.run();
  operation.isDone = true;
  operation.run = nullptr;
  operation.after.clear();
}

}  // namespace

Stream* streamOf(cudaStream_t handle) {
  const bool isLegacy =
      handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return isLegacy ? &queue().legacy : handle;
}

bool isStream(cudaStream_t handle) {
  return streamOf(handle) == &queue().legacy || queue().streams.count(handle) != 0;
}

Stream* addStream(bool isNonBlocking, int priority) {
  auto* stream = new Stream;
  stream->isNonBlocking = isNonBlocking;
  stream->priority = priority;
  queue().streams.insert(stream);
  return stream;
}

void removeStream(Stream* stream) {
  queue().streams.erase(stream);
  delete stream;
}

void follow(const OperationPointer& operation, const OperationPointer& earlier) {
  if (earlier && !earlier->isDone && earlier != operation) operation->after.push_back(earlier);
}

OperationPointer enqueueOperation(cudaStream_t handle,
                                  std::string what,
                                  Caller caller,
                                  std::function<void()> run) {
  Stream* stream = streamOf(handle);
  auto operation = std::make_shared<Operation>();
  operation->what = std::move(what);
  operation->caller = caller;
  operation->run = std::move(run);
  if (stream->capture != nullptr) {
    capture(*stream, *operation);
    operation->isDone = true;
    return operation;
  }
  if (!runtimeSettings().lazy) {
    runOne(*operation);
    return operation;
  }
  follow(operation, stream->last);
  if (stream == &queue().legacy) {
    for (const Stream* other : queue().streams)
      if (!other->isNonBlocking) follow(operation, other->last);
  } else if (!stream->isNonBlocking) {
    follow(operation, queue().legacy.last);
  }
  stream->last = operation;
  queue().pending.push_back(operation);
  return operation;
}

void finish(const OperationPointer& operation) {
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
  auto& pending = queue().pending;
  pending.erase(std::remove_if(pending.begin(), pending.end(),
                               [](const OperationPointer& o) { return o->isDone; }),
                pending.end());
}

void finishStream(Stream* stream) {
  if (stream == &queue().legacy)
    for (const Stream* other : queue().streams)
      if (!other->isNonBlocking) finish(OperationPointer(other->last));
  finish(OperationPointer(stream->last));
}

void finishAll() {
  while (!queue().pending.empty()) {
    const OperationPointer newest = queue().pending.back();
    if (newest->isRunning) return;  // asked for by a host function of the queue itself
    finish(newest);
  }
}

bool hasPending() { return !queue().pending.empty(); }

std::vector<OperationPointer> pendingOperations() {
  return {queue().pending.begin(), queue().pending.end()};
}

void startProgress() {
  static bool isStarted = false;
  if (!runtimeSettings().lazy || isStarted) return;
  isStarted = true;
  std::thread([] {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ApiCall::whenIdle(std::chrono::milliseconds(200), finishAll);
    }
  }).detach();
}

}  // namespace nbody::executor::runtime
