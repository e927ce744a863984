/// \file
/// A CUDA graph: work that is recorded once and launched with one call.
#pragma once

#include <functional>

#include "cuda/launch.hpp"

namespace nbody {

/// Captures the work that is put on the suite's stream, until its scope ends. Meanwhile stream() is another stream, because
/// CUDA cannot capture the legacy stream.
class Capture {
 public:
  Capture() {
    CUDA_CHECK(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamBeginCapture(own_, cudaStreamCaptureModeThreadLocal));
    before_ = useStream(own_);
  }
  ~Capture() {
    if (capturing_) cudaStreamEndCapture(own_, &graph_);
    if (capturing_) cudaGetLastError();  // an exception with the work's error is on its way
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    useStream(before_);
    cudaStreamDestroy(own_);
  }
  Capture(const Capture&) = delete;

  /// Ends the capture and returns the graph of its work, which lives as long as this object.
  cudaGraph_t end() {
    capturing_ = false;
    CUDA_CHECK(cudaStreamEndCapture(own_, &graph_));
    return graph_;
  }

 private:
  bool capturing_ = true;
  cudaStream_t own_ = nullptr, before_ = nullptr;
  cudaGraph_t graph_ = nullptr;
};

/// Some work of the suite's stream, repeated \p runs times and captured once. Errors: CudaError, from every
/// function.
class Graph {
 public:
  Graph(const std::function<void()>& work, int runs) {
    Capture capture;
    for (int i = 0; i < runs; ++i) work();
    CUDA_CHECK(cudaGraphInstantiate(&executable_, capture.end(), 0));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;

  /// Puts the graph on the suite's stream, and returns before it has run.
  void launch() { CUDA_CHECK(cudaGraphLaunch(executable_, stream())); }

 private:
  cudaGraphExec_t executable_;
};

}  // namespace nbody
