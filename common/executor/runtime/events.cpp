// CUDA's functions for events.
#include <chrono>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/stream_api.hpp"

using namespace nbody::executor::runtime;

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const ApiCall call;
  if (event == nullptr) return result(cudaErrorInvalidValue);
  *event = new Event;
  (*event)->isTimed = (flags & cudaEventDisableTiming) == 0;
  return result();
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const ApiCall call;
  if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
  runWithEarlier(OperationPointer(
      event->operation));  // of the host's waits none: on a GPU this returns at once
  delete event;
  return result();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const ApiCall call;
  if (event == nullptr || !isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  Stream& s = *streamOf(stream);
  event->capture = s.capture;
  event->captured = s.captured;
  if (s.capture != nullptr) return result();
  event->isRecorded = true;
  event->operation =
      enqueueOperation(stream, "cudaEventRecord", {"", 0}, [event] { event->seconds = now(); });
  event->clock = s.clock;
  return result();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const ApiCall call;
  if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
  if (event->capture != nullptr) return result(cudaErrorCapturedEvent);
  finish(OperationPointer(event->operation));
  return result();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const ApiCall call;
  if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
  const bool isDone = !event->operation || event->operation->isDone;
  finish(OperationPointer(event->operation));
  if (isDone) return result();
  return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const ApiCall call;
  if (milliseconds == nullptr) return result(cudaErrorInvalidValue);
  for (const Event* event : {begin, end})
    if (event == nullptr || !event->isRecorded || !event->isTimed)
      return result(cudaErrorInvalidResourceHandle);
  for (const Event* event : {begin, end})
    if (!event->operation->isDone) return cudaErrorNotReady;
  *milliseconds = static_cast<float>((end->seconds - begin->seconds) * 1e3);
  return result();
}
