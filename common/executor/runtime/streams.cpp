// CUDA's streams and events, and their order.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor::runtime {

namespace {

std::atomic<std::uint64_t> waits = 0;  ///< waits of the host

struct Table {
  Stream legacy;
  std::set<Stream*> streams;
  std::set<Event*> events;
  VectorClock host;  ///< operations that host code has waited for
  std::uint32_t numbers = kInARow;  ///< numbers used so far; the legacy stream has 0
  std::vector<std::pair<std::uint32_t, std::uint32_t>> freeNumbers;  ///< and their counts
};
Table& table() {
  static auto& theTable = *new Table;
  return theTable;
}

void merge(VectorClock& clock, const VectorClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

/// Returns whether the device has something to do.
static bool isWork(const std::string& what) {
  const auto none = {"cudaEventRecord", "cudaStreamWaitEvent", "cudaGraphLaunch", kMallocAsync,
                     kFreeAsync};
  return std::find(none.begin(), none.end(), what) == none.end();
}

Stream& legacyStream() { return table().legacy; }

Stream* streamOf(cudaStream_t handle) {
  const bool isLegacy =
      handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return isLegacy ? &table().legacy : handle;
}

bool isStream(cudaStream_t handle) {
  return streamOf(handle) == &table().legacy || table().streams.count(handle) != 0;
}

void forEachBlocking(const std::function<void(Stream&)>& visit) {
  for (Stream* stream : table().streams)
    if (!stream->isNonBlocking) visit(*stream);
}

Stream* addStream(bool isNonBlocking) {
  auto* stream = new Stream;
  if (table().freeNumbers.empty()) {
    stream->number = ++table().numbers;
  } else {
    std::tie(stream->number, stream->count) = table().freeNumbers.back();
    table().freeNumbers.pop_back();
  }
  stream->isNonBlocking = isNonBlocking;
  table().streams.insert(stream);
  return stream;
}

void removeStream(Stream* stream) {
  // Its work continues, and the legacy stream waits for it as before.
  if (!stream->isNonBlocking) {
    merge(table().legacy.clock, stream->clock);
    if (stream->last && !stream->last->isDone) table().legacy.orphans.push_back(stream->last);
  }
  table().streams.erase(stream);
  table().freeNumbers.emplace_back(stream->number, stream->count);
  delete stream;
}

void setOrder(Operation& operation, Stream& stream) {
  merge(stream.clock, table().host);
  if (&stream == &table().legacy)
    forEachBlocking([&](Stream& other) { merge(stream.clock, other.clock); });
  else if (!stream.isNonBlocking) merge(stream.clock, table().legacy.clock);
  operation.stream = stream.number;
  operation.number = ++stream.count;
  operation.before = stream.clock;
  if (stream.clock.size() <= std::max(stream.number, kInARow))
    stream.clock.resize(std::max(stream.number, kInARow) + 1);
  stream.clock[stream.number] = operation.number;
  if (isWork(operation.what)) operation.inARow = ++stream.clock[kInARow];
}

void addToClock(Stream& stream, const VectorClock& clock) { merge(stream.clock, clock); }

void hostWaited(const VectorClock& clock) {
  ++waits;
  merge(table().host, clock);
}
void hostWaitedFor(const Stream& stream) { hostWaited(stream.clock); }
void hostWaitedForAll() {
  hostWaitedFor(table().legacy);
  for (const Stream* stream : table().streams) hostWaitedFor(*stream);
}

}  // namespace nbody::executor::runtime

using namespace nbody::executor;
using namespace nbody::executor::runtime;

std::uint64_t nbody::executor::hostWaits() { return runtime::waits; }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const ApiCall call;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return result(cudaErrorInvalidValue);
  *stream = addStream((flags & cudaStreamNonBlocking) != 0);
  (*stream)->priority = std::clamp(priority, kHighestPriority, 0);
  return result();
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (streamOf(stream) != stream || !isStream(stream))
    return mistake(cudaErrorInvalidResourceHandle,
                   "executor: wrong stream: cudaStreamDestroy() at " + place(caller) +
                       " gets a pointer that is not a stream, or a stream that was destroyed.");
  removeStream(stream);  // its work continues, as on a GPU
  return result();
}

/// Returns whether the operation has run, to a program that asks instead of waiting. If the program
/// asks again, it waits in a loop, and the operation runs.
static cudaError_t answer(const OperationPointer& operation) {
  if (operation && !operation->isDone && !std::exchange(operation->isAskedFor, true))
    return result(cudaErrorNotReady);
  finish(OperationPointer(operation));
  return result();
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const ApiCall call;
  if (!isStream(handle)) return result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  Stream& stream = *streamOf(handle);
  OperationPointer open = stream.last;
  if (&stream == &table().legacy)
    forEachBlocking([&](Stream& other) {
      if (other.last && !other.last->isDone) open = other.last;
    });
  if (const cudaError_t error = answer(open); error != cudaSuccess) return error;
  finishStream(&stream);
  return result();
}

/// Sets *to to what \p of returns of a stream.
template <class T, class Of>
static cudaError_t tell(cudaStream_t stream, T* to, const Of& of) {
  const ApiCall call;
  if (to == nullptr || !isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  *to = of(*streamOf(stream));
  return result();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return tell(stream, flags, [](const Stream& s) {
    return s.isNonBlocking ? cudaStreamNonBlocking : cudaStreamDefault;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return tell(stream, priority, [](const Stream& s) { return s.priority; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return tell(stream, id, [](const Stream& s) { return s.number + 1; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return tell(stream, device, [](const Stream&) { return 0; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  finishStream(streamOf(stream));
  return result(failureAskedFor("cudaStreamSynchronize", caller));
}

/// Returns the error of a call that gets no event.
static cudaError_t noEvent(const char* what, const Caller& caller) {
  return refused(cudaErrorInvalidResourceHandle,
                 "executor: wrong event: " + std::string(what) + "() at " + place(caller) +
                     " gets an event that was not created, or one that was destroyed.");
}
static bool isEvent(cudaEvent_t event) { return table().events.count(event) != 0; }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (!isEvent(event)) return noEvent("cudaStreamWaitEvent", caller);
  if (event->capture != nullptr) {
    Stream& s = *streamOf(stream);
    if (s.capture == nullptr) event->capture->streams.push_back(&s);  // it joins the capture
    s.capture = event->capture;
    s.captured.insert(s.captured.end(), event->captured.begin(), event->captured.end());
    return result();
  }
  waitForEvent(*streamOf(stream), *event);
  return result();
}

/// Adds host code to a stream. Device memory is closed to it.
static cudaError_t addHostFunction(cudaStream_t stream, Caller caller, std::function<void()> run) {
  const ApiCall call;
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuseImplicit(stream); error != cudaSuccess) return result(error);
  enqueueOperation(stream, "host function", caller, [caller, run = std::move(run)] {
    closeMemory(true);
    const HostFunction function(caller);
    run();
  });
  return result();
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned, Caller caller) {
  return addHostFunction(stream, caller, [=] { callback(stream, stickyError(), data); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data,
                               Caller caller) {
  return addHostFunction(stream, caller, [=] { function(data); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return result();
}

void nbody::executor::runOpened(cudaStream_t stream, const char* name, Caller caller,
                                std::function<void()> work) {
  const ApiCall call;
  if (!isStream(stream) || stickyError() != cudaSuccess) return;
  enqueueOperation(stream, name, caller, [work = std::move(work)] {
    openMemory();
    ++openings;
    work();
    --openings;
  });
}

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const ApiCall call;
  if (event == nullptr) return result(cudaErrorInvalidValue);
  *event = new Event;
  (*event)->isTimed = (flags & cudaEventDisableTiming) == 0;
  table().events.insert(*event);
  return result();
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isEvent(event)) return noEvent("cudaEventDestroy", caller);
  table().events.erase(event);
  delete event;  // its operations continue, as on a GPU
  return result();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isEvent(event)) return noEvent("cudaEventRecord", caller);
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  Stream& s = *streamOf(stream);
  event->capture = s.capture;
  event->captured = s.captured;
  if (s.capture != nullptr) return result();
  const auto seconds = std::make_shared<double>();
  event->seconds = seconds;
  event->operation =
      enqueueOperation(stream, "cudaEventRecord", {"", 0}, [seconds] { *seconds = now(); });
  event->clock = s.clock;
  return result();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isEvent(event)) return noEvent("cudaEventSynchronize", caller);
  if (event->capture != nullptr) return result(cudaErrorCapturedEvent);
  finish(OperationPointer(event->operation));
  return result(failureAskedFor("cudaEventSynchronize", caller));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (!isEvent(event)) return noEvent("cudaEventQuery", caller);
  if (event->capture != nullptr) return result(cudaErrorCapturedEvent);
  return answer(event->operation);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (milliseconds == nullptr) return result(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {begin, end})
    if (!isEvent(event)) return noEvent("cudaEventElapsedTime", caller);
  for (const Event* event : {begin, end}) {
    if (!event->operation)
      return result(cudaErrorInvalidResourceHandle,
                    "cudaEventRecord() was not called for one of its events");
    if (!event->isTimed)
      return result(cudaErrorInvalidResourceHandle,
                    "one of its events was created with cudaEventDisableTiming");
  }
  for (const Event* event : {begin, end})
    if (!event->operation->isDone)
      return result(cudaErrorNotReady,
                    "the program has not waited for its events: call cudaEventSynchronize() with "
                    "the second event first");
  *milliseconds = static_cast<float>((*end->seconds - *begin->seconds) * 1e3);
  return result();
}
