// The steps of an instantiated graph, and the order in which a launch queues them.
#include <algorithm>

#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

std::vector<GraphProgram::Step> stepsOf(const std::vector<GraphNode*>& order) {
  std::vector<GraphProgram::Step> steps;
  for (const GraphNode* node : order) {
    GraphProgram::Step step{node, node->type, node->work, {}};
    for (const GraphNode* before : node->after)
      step.after.push_back(std::find(order.begin(), order.end(), before) - order.begin());
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Whether each step follows the one before it.
static bool isChain(const std::vector<GraphProgram::Step>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (std::count(steps[i].after.begin(), steps[i].after.end(), i - 1) == 0) return false;
  return true;
}

static void enqueueStep(const GraphProgram::Step& step, cudaStream_t stream, Caller caller) {
  for (const GraphWork& work : step.work)
    enqueueOperation(stream, work.what, work.caller.line > 0 ? work.caller : caller, work.run);
}

/// All that the stream has been told so far, as an event that others can wait for.
static Event endOf(cudaStream_t stream) {
  Event event;
  event.operation = enqueueOperation(stream, "cudaGraphLaunch", {"", 0}, [] {});
  event.clock = streamOf(stream)->clock;
  return event;
}

/// Each step in a stream of its own, which waits for those of the steps that it follows.
static void launchBeside(const GraphProgram& program, cudaStream_t stream, Caller caller) {
  const Event begin = endOf(stream);
  std::vector<Stream*> streams;
  std::vector<Event> ends;
  for (const auto& step : program.steps) {
    streams.push_back(addStream(true, 0));
    waitForEvent(*streams.back(), begin);
    for (const std::size_t before : step.after) waitForEvent(*streams.back(), ends[before]);
    enqueueStep(step, streams.back(), caller);
    ends.push_back(endOf(streams.back()));
  }
  for (const Event& end : ends) waitForEvent(*streamOf(stream), end);
  for (Stream* own : streams) removeStream(own);
}

void launchSteps(const GraphProgram& program, cudaStream_t stream, Caller caller) {
  if (!isChain(program.steps) && streamOf(stream)->capture == nullptr)
    return launchBeside(program, stream, caller);
  for (const auto& step : program.steps) enqueueStep(step, stream, caller);
}

}  // namespace nbody::executor::runtime
