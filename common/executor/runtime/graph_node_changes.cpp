// CUDA's functions that give a graph's nodes other parameters.
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graph_api.hpp"
#include "executor/runtime/graph_parameters.hpp"
#include "executor/runtime/graph_program_api.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/stream_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

using Call = std::function<cudaError_t(cudaStream_t)>;

/// Gives a node other work of its kind.
static cudaError_t change(cudaGraphNode_t node, cudaGraphNodeType type, const Call& work) {
  const ApiCall call;
  if (node == nullptr || node->type != type) return result(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  std::vector<GraphWork> list = workOf(work, &error);
  if (error == cudaSuccess) node->work = std::move(list);
  return result(error);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* p,
                                         Caller caller) {
  const cudaError_t error = change(
      node, cudaGraphNodeTypeKernel, [&](cudaStream_t s) { return kernelCall(*p, s, caller); });
  if (error == cudaSuccess) keepArguments(*node, *p);
  return error;
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                           void* to,
                                           const void* from,
                                           std::size_t bytes,
                                           cudaMemcpyKind kind,
                                           Caller caller) {
  return change(node, cudaGraphNodeTypeMemcpy, [&](cudaStream_t s) {
    return cudaMemcpyAsync(to, from, bytes, kind, s, caller);
  });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams* p,
                                         Caller caller) {
  return change(
      node, cudaGraphNodeTypeMemset, [&](cudaStream_t s) { return memsetCall(*p, s, caller); });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams* p,
                                       Caller caller) {
  return change(node, cudaGraphNodeTypeHost, [&](cudaStream_t s) {
    return cudaLaunchHostFunc(s, p->fn, p->userData, caller);
  });
}
