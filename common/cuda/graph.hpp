/// \file
/// A CUDA graph: work that is launched as one. GPU builds only.
#pragma once

#include <functional>

#include "cuda/launch.hpp"

namespace nbody {

/// \p runs runs of some work of the suite's stream, captured once.
class Graph {
 public:
  Graph(const std::function<void()>& work, int runs) {
    CUDA_CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
    for (int i = 0; i < runs; ++i) work();
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamEndCapture(stream(), &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable_, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;

  void launch() { CUDA_CHECK(cudaGraphLaunch(executable_, stream())); }

 private:
  cudaGraphExec_t executable_;
};

}  // namespace nbody
