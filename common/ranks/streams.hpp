/// \file
/// Streams next to the suite's, and times of the work on them.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/event.hpp"

namespace nbody {

/// A stream whose blocks are scheduled before those of the suite's stream.
class Stream {
 public:
  /// \param ahead  priority levels above the suite's stream; 0: the same
  explicit Stream(int ahead) {
    int least = 0, greatest = 0;  // the highest priority is the lowest number
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    const int priority = std::max(greatest, least - ahead);
    CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
  }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Priority of messages. NCCL moves data with kernels, which need room next to those of the forces.
constexpr int kLinkAhead = 2;

/// Times of pieces of work that overlap on several streams.
class Timeline {
 public:
  enum Kind {
    tree,  ///< building the tree
    let,  ///< cutting and grafting locally essential trees
    compute,
    communication
  };

  Timeline() { start_.record(stream()); }

  void add(Kind kind, Event begin, Event end) {
    timeline_.push_back({kind, std::move(begin), std::move(end)});
  }

  /// Returns how long some piece of \p kinds was running, in ms. All pieces must have ended.
  double ms(std::initializer_list<Kind> kinds) const {
    std::vector<std::pair<double, double>> pieces;
    for (const Span& span : timeline_)
      if (std::find(kinds.begin(), kinds.end(), span.kind) != kinds.end())
        pieces.push_back({span.begin.since(start_), span.end.since(start_)});
    std::sort(pieces.begin(), pieces.end());
    double sum = 0, end = 0;
    for (const auto& [from, to] : pieces) {
      sum += std::max(0.0, to - std::max(from, end));
      end = std::max(end, to);
    }
    return sum;
  }

 private:
  struct Span {
    Kind kind;
    Event begin, end;
  };
  Event start_{true};
  std::vector<Span> timeline_;
};

/// Times the work queued on a stream during its life, if \p timeline is not null.
class TimedSpan {
 public:
  TimedSpan(Timeline* timeline, Timeline::Kind kind, cudaStream_t stream)
      : timeline_(timeline), kind_(kind), stream_(stream) {
    if (timeline_ == nullptr) return;
    begin_.emplace(true);
    begin_->record(stream_);
  }
  ~TimedSpan() {
    try {
      end();
    } catch (...) {
      // A CUDA call has failed. The next call reports it; a destructor must not throw.
    }
  }
  TimedSpan(const TimedSpan&) = delete;

  void end() {
    Timeline* const timeline = std::exchange(timeline_, nullptr);
    if (timeline == nullptr) return;
    Event end(true);
    end.record(stream_);
    timeline->add(kind_, std::move(*begin_), std::move(end));
  }

 private:
  Timeline* timeline_;
  Timeline::Kind kind_;
  cudaStream_t stream_;
  std::optional<Event> begin_;
};

}  // namespace nbody
