// CUDA's functions for streams.
#include "executor/runtime/stream_api.hpp"

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  const ApiCall call;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return result(cudaErrorInvalidValue);
  *stream = addStream((flags & cudaStreamNonBlocking) != 0);
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
  removeStream(stream);  // its work goes on, as on a GPU
  return result();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const ApiCall call;
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  finishStream(streamOf(stream));
  return result();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const ApiCall call;
  if (!isStream(stream) || event == nullptr) return result(cudaErrorInvalidResourceHandle);
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

/// Host code in a stream: device memory is closed to it.
static cudaError_t addHostFunction(cudaStream_t stream, Caller caller, std::function<void()> run) {
  const ApiCall call;
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuseImplicit(stream); error != cudaSuccess) return result(error);
  enqueueOperation(stream, "host function", caller, [run = std::move(run)] {
    closeMemory(true);
    run();
  });
  startProgress();
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

namespace nbody::executor {

void runOnStream(cudaStream_t stream, const char* name, const char* file, int line,
                 std::function<void()> work) {
  const ApiCall call;
  if (!isStream(stream) || stickyError() != cudaSuccess) return;
  enqueueOperation(stream, name, {file, line}, [work = std::move(work)] {
    openMemory();
    work();
  });
  startProgress();
}

}  // namespace nbody::executor
