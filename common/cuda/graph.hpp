/// \file
/// A CUDA graph: work that is launched as one.
#pragma once

#include <functional>

#include "cuda/launch.hpp"

namespace nbody {

/// Captures what is put on the suite's stream, until its scope ends: a stream left capturing
/// refuses every later copy.
class Capture {
 public:
  Capture() { CUDA_CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal)); }
  ~Capture() {
    if (capturing_) cudaStreamEndCapture(stream(), &graph_);
    if (capturing_) cudaGetLastError();  // the work's own error is on its way
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  Capture(const Capture&) = delete;

  /// The graph of the work so far, which lives as long as the capture.
  cudaGraph_t end() {
    capturing_ = false;
    CUDA_CHECK(cudaStreamEndCapture(stream(), &graph_));
    return graph_;
  }

 private:
  bool capturing_ = true;
  cudaGraph_t graph_ = nullptr;
};

/// \p runs runs of some work of the suite's stream, captured once.
class Graph {
 public:
  Graph(const std::function<void()>& work, int runs) {
    Capture capture;
    for (int i = 0; i < runs; ++i) work();
    CUDA_CHECK(cudaGraphInstantiate(&executable_, capture.end(), 0));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;

  void launch() { CUDA_CHECK(cudaGraphLaunch(executable_, stream())); }

 private:
  cudaGraphExec_t executable_;
};

}  // namespace nbody
