// CUDA's functions for graphs that have been captured.
#include "executor/runtime/graphs.hpp"

#include <algorithm>
#include <memory>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/operations.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

namespace {

using Steps = std::vector<GraphProgram::Step>;

Steps stepsOf(const Graph& graph) {
  Steps steps;
  const auto numberOf = [&](const GraphNode* node) -> std::size_t {
    return std::find_if(graph.nodes.begin(), graph.nodes.end(),
                        [&](const auto& n) { return n.get() == node; }) -
           graph.nodes.begin();
  };
  for (const auto& node : graph.nodes) {
    steps.push_back({node->what, node->caller, node->run, {}});
    for (const GraphNode* before : node->after) steps.back().after.push_back(numberOf(before));
  }
  return steps;
}

/// Whether each step follows the one before it.
bool isChain(const Steps& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (std::count(steps[i].after.begin(), steps[i].after.end(), i - 1) == 0) return false;
  return true;
}

void enqueueStep(const GraphProgram::Step& step, cudaStream_t stream, Caller caller) {
  enqueueOperation(stream, step.what, step.caller.line > 0 ? step.caller : caller, step.run);
}

/// All that the stream has been told so far, as an event that others can wait for.
Event endOf(cudaStream_t stream) {
  Event event;
  event.operation = enqueueOperation(stream, "cudaGraphLaunch", {"", 0}, [] {});
  event.clock = streamOf(stream)->clock;
  return event;
}

/// Puts each step into a new stream, which waits for the streams of the steps that it follows.
void launchBeside(const Steps& steps, cudaStream_t stream, Caller caller) {
  const Event begin = endOf(stream);
  std::vector<Stream*> streams;
  std::vector<Event> ends;
  for (const auto& step : steps) {
    streams.push_back(addStream(true));
    waitForEvent(*streams.back(), begin);
    for (const std::size_t before : step.after) waitForEvent(*streams.back(), ends[before]);
    enqueueStep(step, streams.back(), caller);
    ends.push_back(endOf(streams.back()));
  }
  for (const Event& end : ends) waitForEvent(*streamOf(stream), end);
  for (Stream* own : streams) removeStream(own);
}

/// Queues the steps in the order that the graph gives them.
void launchSteps(const Steps& steps, cudaStream_t stream, Caller caller) {
  if (!isChain(steps) && streamOf(stream)->capture == nullptr)
    return launchBeside(steps, stream, caller);
  for (const auto& step : steps) enqueueStep(step, stream, caller);
}

}  // namespace

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr || count == nullptr) return result(cudaErrorInvalidValue);
  const std::size_t all = graph->nodes.size(),
                    given = nodes == nullptr ? all : std::min(*count, all);
  for (std::size_t i = 0; nodes != nullptr && i < given; ++i) nodes[i] = graph->nodes[i].get();
  *count = given;
  return result();
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  delete graph;
  return result();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph, unsigned long long) {
  const ApiCall call;
  if (program == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
  *program = new GraphProgram{stepsOf(*graph)};
  return result();
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* program, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(program, graph, flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph, cudaGraphNode_t*,
                                 char* log, std::size_t bytes) {
  if (log != nullptr && bytes > 0) *log = '\0';
  return cudaGraphInstantiate(program, graph, 0ull);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program) {
  const ApiCall call;
  if (program == nullptr) return result(cudaErrorInvalidValue);
  delete program;  // queued work has copies
  return result();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream, Caller caller) {
  const ApiCall call;
  if (program == nullptr) return result(cudaErrorInvalidValue);
  if (!isStream(stream)) return result(cudaErrorInvalidResourceHandle);
  if (stickyError() != cudaSuccess) return result();
  launchSteps(program->steps, stream, caller);
  startProgress();
  return result();
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return result(); }
