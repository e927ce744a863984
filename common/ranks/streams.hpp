/// \file
/// Streams next to the suite's, and how long the work on them takes.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/event.hpp"

namespace nbody {

/// A stream that comes before the suite's where a multiprocessor has room for one of their blocks.
class Stream {
 public:
  /// \param ahead  0: as the suite's; more: before those of less
  explicit Stream(int ahead) {
    int least = 0, greatest = 0;  // the greatest is the lowest number
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

/// NCCL moves data with kernels, which have to find room next to those of the forces.
constexpr int kLinkAhead = 2;

/// How long pieces of work take that overlap each other, on several streams.
class Timeline {
 public:
  enum Kind {
    tree,  ///< its building
    let,  ///< what other ranks can need of it, and what came of theirs
    compute,
    communication
  };

  Timeline() { start_.record(stream()); }

  void add(Kind kind, Event begin, Event end) {
    timeline_.push_back({kind, std::move(begin), std::move(end)});
  }

  /// How long some piece of \p kinds was under way, in milliseconds. All are over.
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

/// Times what is put on a stream while it lives, where `timeline` is there.
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
      // A CUDA call has failed: the next one says so, and this may be on its way out of one.
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
