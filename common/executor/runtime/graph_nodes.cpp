// CUDA's functions that put a graph together: nodes of all kinds.
#include <cstring>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/texture_api.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graph_api.hpp"
#include "executor/runtime/graph_parameters.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

namespace {

using Call = std::function<cudaError_t(cudaStream_t)>;

struct Place {
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t count;
};

/// Adds a node with the work of \p call behind others.
cudaError_t add(cudaGraphNode_t* node, const Place& place, cudaGraphNodeType type, const Call& work) {
  const ApiCall call;
  if (node == nullptr || place.graph == nullptr || (place.count > 0 && place.after == nullptr))
    return result(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  std::vector<GraphWork> list = workOf(work, &error);
  if (error != cudaSuccess) return error;
  *node = place.graph->add(type, std::move(list), {place.after, place.after + place.count});
  return result();
}

cudaError_t addWithout(cudaGraphNode_t* node, const Place& place, cudaGraphNodeType type) {
  return add(node, place, type, [](cudaStream_t) { return cudaSuccess; });
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaKernelNodeParams* p,
                                   Caller caller) {
  if (p == nullptr) return result(cudaErrorInvalidValue);
  const cudaError_t error = add(node, {graph, after, count}, cudaGraphNodeTypeKernel,
                                [&](cudaStream_t s) { return kernelCall(*p, s, caller); });
  if (error == cudaSuccess) keepArguments(**node, *p);
  return error;
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaMemcpy3DParms* p,
                                   Caller caller) {
  return add(node, {graph, after, count}, cudaGraphNodeTypeMemcpy,
             [&](cudaStream_t s) { return cudaMemcpy3DAsync(p, s, caller); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* after,
                                     std::size_t count,
                                     void* to,
                                     const void* from,
                                     std::size_t bytes,
                                     cudaMemcpyKind kind,
                                     Caller caller) {
  return add(node, {graph, after, count}, cudaGraphNodeTypeMemcpy, [&](cudaStream_t s) {
    return cudaMemcpyAsync(to, from, bytes, kind, s, caller);
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaMemsetParams* p,
                                   Caller caller) {
  if (p == nullptr) return result(cudaErrorInvalidValue);
  return add(node, {graph, after, count}, cudaGraphNodeTypeMemset,
             [&](cudaStream_t s) { return memsetCall(*p, s, caller); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node,
                                 cudaGraph_t graph,
                                 const cudaGraphNode_t* after,
                                 std::size_t count,
                                 const cudaHostNodeParams* p,
                                 Caller caller) {
  if (p == nullptr) return result(cudaErrorInvalidValue);
  return add(node, {graph, after, count}, cudaGraphNodeTypeHost,
             [&](cudaStream_t s) { return cudaLaunchHostFunc(s, p->fn, p->userData, caller); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t* after,
                                  std::size_t count) {
  return addWithout(node, {graph, after, count}, cudaGraphNodeTypeEmpty);
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t* after,
                                        std::size_t count,
                                        cudaEvent_t event) {
  const cudaError_t error = addWithout(node, {graph, after, count}, cudaGraphNodeTypeEventRecord);
  if (error == cudaSuccess)
    (*node)->work = {{"cudaEventRecord", {"", 0}, [event] { cudaEventRecord(event); }}};
  return error;
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t* after,
                                       std::size_t count,
                                       cudaGraph_t child) {
  if (child == nullptr) return result(cudaErrorInvalidValue);
  const cudaError_t error = addWithout(node, {graph, after, count}, cudaGraphNodeTypeGraph);
  if (error == cudaSuccess)
    for (const GraphNode* inner : child->inOrder())
      (*node)->work.insert((*node)->work.end(), inner->work.begin(), inner->work.end());
  return error;
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* after,
                                     std::size_t count,
                                     cudaMemAllocNodeParams* p,
                                     Caller caller) {
  if (p == nullptr) return result(cudaErrorInvalidValue);
  // Its address is fixed when the node is made, so the memory is there from then on.
  if (const cudaError_t error = cudaMalloc(&p->dptr, p->bytesize, caller); error != cudaSuccess)
    return error;
  return addWithout(node, {graph, after, count}, cudaGraphNodeTypeMemAlloc);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t* after,
                                    std::size_t count,
                                    void*) {
  return addWithout(node, {graph, after, count}, cudaGraphNodeTypeMemFree);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  if (node == nullptr || node->type != cudaGraphNodeTypeKernel) return result(cudaErrorInvalidValue);
  *parameters = node->kernel;
  return result();
}

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
  const cudaError_t error = change(node, cudaGraphNodeTypeKernel, [&](cudaStream_t s) {
    return kernelCall(*p, s, caller);
  });
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
  return change(node, cudaGraphNodeTypeMemset,
                [&](cudaStream_t s) { return memsetCall(*p, s, caller); });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams* p,
                                       Caller caller) {
  return change(node, cudaGraphNodeTypeHost, [&](cudaStream_t s) {
    return cudaLaunchHostFunc(s, p->fn, p->userData, caller);
  });
}
