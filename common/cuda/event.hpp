/// \file
/// CUDA events, which order the work of two streams and time it.
#pragma once

#include <utility>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"

namespace nbody {

/// A CUDA event that destroys itself.
class Event {
 public:
  /// \param timing  true if since() will be called
  explicit Event(bool timing = false) {
    CUDA_CHECK(
        cudaEventCreateWithFlags(&event_, timing ? cudaEventDefault : cudaEventDisableTiming));
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }

  /// Marks the end of the work that \p stream has so far.
  void record(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(event_, stream)); }

  operator cudaEvent_t() const { return event_; }

  /// Waits for this event, and returns the milliseconds from \p start to it.
  double since(const Event& start) const {
    CUDA_CHECK(cudaEventSynchronize(event_));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Makes all work that is put on \p stream from now on wait for the work that \p event has recorded.
inline void waitFor(cudaStream_t stream, const Event& event) {
  CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0));
}

}  // namespace nbody
