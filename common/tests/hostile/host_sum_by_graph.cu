// Kind: work of the host
// Tries: to take the bodies by a copy in a graph.
// Stopped by: the sum of all copies, those of graphs too.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies(count);
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaGraphNode_t node;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&node,
                                      graph,
                                      nullptr,
                                      0,
                                      bodies.data(),
                                      call.bodies.data(),
                                      count * sizeof(real4),
                                      cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGraphInstantiate(&runnable, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(runnable, stream()));
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  CUDA_CHECK(cudaGraphExecDestroy(runnable));
  CUDA_CHECK(cudaGraphDestroy(graph));
  hostAnswer(call, bodies.data());
}
