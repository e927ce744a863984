/// \file
/// What orders the work of two streams, and times it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"

namespace nbody {

/// A CUDA event that destroys itself.
class Event {
 public:
  explicit Event(bool timing = false) {
    CUDA_CHECK(cudaEventCreateWithFlags(&event_, timing ? cudaEventDefault : cudaEventDisableTiming));
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }

  void record(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(event_, stream)); }

  /// What is put on \p stream from now on starts after what was recorded.
  void holdUp(cudaStream_t stream) const { CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }

  /// Milliseconds from \p start to this event, both over.
  double since(const Event& start) const {
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The stream of what travels. NCCL moves data by kernels, which need room on a multiprocessor: the
/// highest priority gives them the first that is free among the blocks of forces.
class Link {
 public:
  Link() {
    int least = 0, greatest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
  }
  ~Link() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Link(const Link&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// How long pieces of work take that overlap each other.
class Spans {
 public:
  enum Kind { compute, communication };

  void add(Kind kind, Event begin, Event end) {
    spans_.push_back({kind, std::move(begin), std::move(end)});
  }

  /// Sum of those of \p kind, in milliseconds. All are over.
  double ms(Kind kind) const {
    double sum = 0;
    for (const Span& span : spans_)
      if (span.kind == kind) sum += span.end.since(span.begin);
    return sum;
  }

 private:
  struct Span {
    Kind kind;
    Event begin, end;
  };
  std::vector<Span> spans_;
};

/// Times what is put on a stream while it lives, where `spans` is there.
class Timed {
 public:
  Timed(Spans* spans, Spans::Kind kind, cudaStream_t stream)
      : spans_(spans), kind_(kind), stream_(stream) {
    if (spans_ == nullptr) return;
    begin_.emplace(true);
    begin_->record(stream_);
  }
  ~Timed() noexcept(false) { end(); }
  Timed(const Timed&) = delete;

  void end() {
    Spans* const spans = std::exchange(spans_, nullptr);
    if (spans == nullptr) return;
    Event end(true);
    end.record(stream_);
    spans->add(kind_, std::move(*begin_), std::move(end));
  }

 private:
  Spans* spans_;
  Spans::Kind kind_;
  cudaStream_t stream_;
  std::optional<Event> begin_;
};

}  // namespace nbody
