// CUDA's functions for instantiated graphs.
#include <algorithm>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graph_parameters.hpp"
#include "executor/runtime/graph_program_api.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/stream_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph, unsigned long long) {
  const ApiCall call;
  if (program == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
  const std::vector<GraphNode*> order = graph->inOrder();
  if (order.size() != graph->nodes.size()) return result(cudaErrorInvalidValue);
  *program = new GraphProgram{stepsOf(order)};
  return result();
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* program,
                                          cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(program, graph, flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program,
                                 cudaGraph_t graph,
                                 cudaGraphNode_t*,
                                 char* log,
                                 std::size_t bytes) {
  if (log != nullptr && bytes > 0) *log = '\0';
  return cudaGraphInstantiate(program, graph, 0ull);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program) {
  const ApiCall call;
  if (program == nullptr) return result(cudaErrorInvalidValue);
  delete program;  // work under way has copies of its own
  return result();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream, Caller caller) {
  const ApiCall call;
  if (program == nullptr) return result(cudaErrorInvalidValue);
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (stickyError() != cudaSuccess) return result();
  launchSteps(*program, stream, caller);
  startProgress();
  return result();
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return result(); }

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program,
                                cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  const ApiCall call;
  if (program == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
  const std::vector<GraphNode*> order = graph->inOrder();
  const bool isSame = std::equal(order.begin(),
                                 order.end(),
                                 program->steps.begin(),
                                 program->steps.end(),
                                 [](const GraphNode* node, const GraphProgram::Step& step) {
                                   return node->type == step.type;
                                 });
  if (info != nullptr)
    *info = {isSame ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged,
             nullptr,
             nullptr};
  if (!isSame) return result(cudaErrorGraphExecUpdateFailure);
  program->steps = stepsOf(order);
  return result();
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program,
                                cudaGraph_t graph,
                                cudaGraphNode_t* errorNode,
                                cudaGraphExecUpdateResult* outcome) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(program, graph, &info);
  if (errorNode != nullptr) *errorNode = info.errorNode;
  if (outcome != nullptr) *outcome = info.result;
  return error;
}

/// Gives the step of a node other work.
static cudaError_t change(cudaGraphExec_t program,
                          cudaGraphNode_t node,
                          const std::function<cudaError_t(cudaStream_t)>& work) {
  const ApiCall call;
  if (program == nullptr) return result(cudaErrorInvalidValue);
  for (auto& step : program->steps) {
    if (step.node != node) continue;
    cudaError_t error = cudaSuccess;
    std::vector<GraphWork> list = workOf(work, &error);
    if (error == cudaSuccess) step.work = std::move(list);
    return result(error);
  }
  return result(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program,
                                             cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p,
                                             Caller caller) {
  return change(program, node, [&](cudaStream_t s) { return kernelCall(*p, s, caller); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t program,
                                               cudaGraphNode_t node,
                                               void* to,
                                               const void* from,
                                               std::size_t bytes,
                                               cudaMemcpyKind kind,
                                               Caller caller) {
  return change(program, node, [&](cudaStream_t s) {
    return cudaMemcpyAsync(to, from, bytes, kind, s, caller);
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t program,
                                             cudaGraphNode_t node,
                                             const cudaMemsetParams* p,
                                             Caller caller) {
  return change(program, node, [&](cudaStream_t s) { return memsetCall(*p, s, caller); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t program,
                                           cudaGraphNode_t node,
                                           const cudaHostNodeParams* p,
                                           Caller caller) {
  return change(program, node, [&](cudaStream_t s) {
    return cudaLaunchHostFunc(s, p->fn, p->userData, caller);
  });
}
