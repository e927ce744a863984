/// \file
/// CUDA events: what orders the work of two streams, and times it.
#pragma once

#include <utility>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"

namespace nbody {

/// A CUDA event that destroys itself.
class Event {
 public:
  /// \param timing  whether since() is asked of it
  explicit Event(bool timing = false) {
    CUDA_CHECK(
        cudaEventCreateWithFlags(&event_, timing ? cudaEventDefault : cudaEventDisableTiming));
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }

  void record(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(event_, stream)); }

  operator cudaEvent_t() const { return event_; }

  /// Milliseconds from \p start to this event, which it waits for.
  double since(const Event& start) const {
    CUDA_CHECK(cudaEventSynchronize(event_));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Whatever is put on \p stream from now on starts after the work that \p event has recorded.
inline void waitFor(cudaStream_t stream, const Event& event) {
  CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0));
}

}  // namespace nbody
