// CUDA's graphs: work that is captured from streams or added by hand, instantiated and launched as a whole.
#include "executor/runtime/graphs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

namespace {

/// Returns the graphs that streams are being captured into.
std::set<Graph*>& underWay() {
  static auto& graphs = *new std::set<Graph*>;
  return graphs;
}

/// Returns whether all work of the other streams comes before the end of the first stream.
bool isJoined(const Graph& graph) {
  std::set<const GraphNode*> seen;
  std::vector<const GraphNode*> left(graph.streams[0]->captured.begin(),
                                     graph.streams[0]->captured.end());
  while (!left.empty()) {
    const GraphNode* node = left.back();
    left.pop_back();
    if (seen.insert(node).second) left.insert(left.end(), node->after.begin(), node->after.end());
  }
  return std::all_of(graph.streams.begin(), graph.streams.end(), [&](const Stream* stream) {
    return std::all_of(stream->captured.begin(), stream->captured.end(),
                       [&](const GraphNode* node) { return seen.count(node) != 0; });
  });
}

/// Removes all streams from the capture.
void endCapture(Graph& graph) {
  underWay().erase(&graph);
  for (Stream* stream : graph.streams) {
    stream->capture = nullptr;
    stream->captured.clear();
  }
  graph.streams.clear();
}

}  // namespace

void capture(Stream& stream, const Operation& operation) {
  auto& nodes = stream.capture->nodes;
  nodes.push_back(std::make_shared<GraphNode>(
      GraphNode{operation.what, operation.caller, operation.run, operation.uses, stream.captured}));
  stream.captured = {nodes.back().get()};
}

cudaError_t refuseCapture() {
  for (Graph* graph : underWay()) graph->isInvalid = true;
  return underWay().empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuseImplicit(cudaStream_t handle) {
  if (streamOf(handle) != streamOf(nullptr)) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (Graph* graph : underWay())
    for (const Stream* stream : graph->streams)
      if (!stream->isNonBlocking) {
        graph->isInvalid = true;
        error = cudaErrorStreamCaptureImplicit;
      }
  return error;
}

}  // namespace nbody::executor::runtime

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  const ApiCall call;
  if (!isStream(handle)) return result(cudaErrorInvalidResourceHandle);
  Stream* stream = streamOf(handle);
  if (stream != handle) return result(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return result(cudaErrorIllegalState);
  stream->capture = new Graph;
  stream->capture->streams = {stream};
  underWay().insert(stream->capture);
  return result();
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  const ApiCall call;
  if (graph == nullptr || !isStream(handle)) return result(cudaErrorInvalidValue);
  Stream* stream = streamOf(handle);
  *graph = nullptr;
  if (stream->capture == nullptr) return result(cudaErrorIllegalState);
  std::unique_ptr<Graph> captured(stream->capture);
  if (captured->streams[0] != stream) {
    captured.release();
    return result(cudaErrorStreamCaptureUnmatched);
  }
  const bool isWhole = isJoined(*captured);
  endCapture(*captured);
  if (captured->isInvalid) return result(cudaErrorStreamCaptureInvalidated);
  if (!isWhole) return result(cudaErrorStreamCaptureUnjoined);
  *graph = captured.release();
  return result();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  const ApiCall call;
  if (status == nullptr || !isStream(handle)) return result(cudaErrorInvalidValue);
  const Stream& stream = *streamOf(handle);
  *status = stream.capture == nullptr   ? cudaStreamCaptureStatusNone
            : stream.capture->isInvalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
  if (id != nullptr) *id = reinterpret_cast<std::uintptr_t>(stream.capture);
  return result();
}

namespace {

/// Returns whether each node follows the previous one.
bool isChain(const GraphNodes& nodes) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const auto& after = nodes[i]->after;
    if (std::find(after.begin(), after.end(), nodes[i - 1].get()) == after.end()) return false;
  }
  return true;
}

void enqueueNode(const GraphNode& node, cudaStream_t stream, Caller caller) {
  enqueueOperation(stream, node.what, node.caller.line > 0 ? node.caller : caller, node.run,
                   node.uses);
}

/// Returns all work of the stream so far, as an event that others can wait for.
Event endOf(cudaStream_t stream) {
  Event event;
  event.operation = enqueueOperation(stream, "cudaGraphLaunch", {"", 0}, [] {});
  event.clock = streamOf(stream)->clock;
  return event;
}

/// Puts each node into a new stream, which waits for the streams of the nodes that it follows.
void launchBeside(const GraphNodes& nodes, cudaStream_t stream, Caller caller) {
  const Event begin = endOf(stream);
  std::vector<Stream*> streams;
  std::map<const GraphNode*, Event> ends;
  for (const auto& node : nodes) {
    streams.push_back(addStream(true));
    waitForEvent(*streams.back(), begin);
    for (const GraphNode* before : node->after) waitForEvent(*streams.back(), ends[before]);
    enqueueNode(*node, streams.back(), caller);
    ends[node.get()] = endOf(streams.back());
  }
  for (const auto& node : nodes) waitForEvent(*streamOf(stream), ends[node.get()]);
  for (Stream* own : streams) removeStream(own);
}

/// Queues the nodes in the order of the graph.
void launchNodes(const GraphNodes& nodes, cudaStream_t stream, Caller caller) {
  if (!isChain(nodes) && streamOf(stream)->capture == nullptr)
    return launchBeside(nodes, stream, caller);
  for (const auto& node : nodes) enqueueNode(*node, stream, caller);
}

/// Returns copies of a graph's nodes, each after those that precede it; fewer if there is a cycle.
GraphNodes copied(const GraphNodes& nodes) {
  GraphNodes copies;
  std::map<const GraphNode*, GraphNode*> copyOf;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& node : nodes) {
      const auto isCopied = [&](const GraphNode* other) { return copyOf.count(other) != 0; };
      if (isCopied(node.get()) || !std::ranges::all_of(node->after, isCopied)) continue;
      copies.push_back(std::make_shared<GraphNode>(*node));
      copies.back()->original = node.get();
      for (GraphNode*& before : copies.back()->after) before = copyOf[before];
      copyOf[node.get()] = copies.back().get();
      grows = true;
    }
  }
  return copies;
}

/// Adds what \p queue(stream) puts into a stream as a node of the graph.
template <class Queue>
cudaError_t addNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                    std::size_t count, const Queue& queue) {
  if (node == nullptr || graph == nullptr || (after == nullptr && count > 0))
    return result(cudaErrorInvalidValue);
  const std::size_t before = graph->nodes.size();
  Stream* const stream = addStream(true);
  stream->capture = graph;
  if (count > 0) stream->captured.assign(after, after + count);
  const cudaError_t error = queue(stream);
  if (error == cudaSuccess && graph->nodes.size() == before)
    enqueueOperation(stream, "empty node", {"", 0}, [] {});
  stream->capture = nullptr;
  removeStream(stream);
  if (error == cudaSuccess) *node = graph->nodes.back().get();
  return error;
}

auto queueKernel(const cudaKernelNodeParams& kernel, Caller caller) {
  return [&kernel, caller](cudaStream_t stream) {
    return cudaLaunchKernel(static_cast<const void*>(kernel.func), kernel.gridDim, kernel.blockDim,
                            kernel.kernelParams, kernel.sharedMemBytes, stream, caller);
  };
}

/// Replaces the work of the program's copy of a node by what \p queue(stream) puts into a stream.
template <class Queue>
cudaError_t changeNode(cudaGraphExec_t program, const GraphNode* node, const Queue& queue) {
  if (program == nullptr) return result(cudaErrorInvalidValue);
  const auto position = std::ranges::find(program->nodes, node, &GraphNode::original);
  if (position == program->nodes.end()) return result(cudaErrorInvalidValue);
  Graph graph;
  cudaGraphNode_t other = nullptr;
  const cudaError_t error = addNode(&other, &graph, nullptr, 0, queue);
  if (error != cudaSuccess) return error;
  GraphNode& changed = **position;
  std::swap(other->after, changed.after);
  other->original = node;
  changed = std::move(*other);
  return result();
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  *graph = new Graph;
  return result();
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* kernel, Caller caller) {
  const ApiCall call;
  if (kernel == nullptr) return result(cudaErrorInvalidValue);
  return addNode(node, graph, after, count, queueKernel(*kernel, caller));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* copy, Caller caller) {
  const ApiCall call;
  return addNode(node, graph, after, count,
                 [&](cudaStream_t stream) { return cudaMemcpy3DAsync(copy, stream, caller); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                     Caller caller) {
  const ApiCall call;
  return addNode(node, graph, after, count, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream, caller);
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* fill, Caller caller) {
  const ApiCall call;
  if (fill == nullptr) return result(cudaErrorInvalidValue);
  // A larger element is no byte's repetition, unless its bytes are equal.
  const unsigned byte = fill->value & 0xff, size = fill->elementSize;
  const unsigned repeated = size == 1 ? byte : size == 2 ? byte * 0x101 : byte * 0x1010101;
  if ((size != 1 && size != 2 && size != 4) || repeated != fill->value)
    return mistake(cudaErrorNotSupported,
                   "executor: a node that sets memory to a value of several different bytes is not "
                   "supported: use a kernel (" +
                       place(caller) + ")");
  return addNode(node, graph, after, count, [&](cudaStream_t stream) {
    return cudaMemset2DAsync(fill->dst, fill->height > 1 ? fill->pitch : size * fill->width,
                             static_cast<int>(byte), size * fill->width, fill->height, stream,
                             caller);
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* function, Caller caller) {
  const ApiCall call;
  if (function == nullptr) return result(cudaErrorInvalidValue);
  return addNode(node, graph, after, count, [&](cudaStream_t stream) {
    return cudaLaunchHostFunc(stream, function->fn, function->userData, caller);
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count) {
  return addNode(node, graph, after, count, [](cudaStream_t) { return cudaSuccess; });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t count,
                                       cudaGraph_t child, Caller caller) {
  if (child == nullptr) return result(cudaErrorInvalidValue);
  return addNode(node, graph, after, count, [&](cudaStream_t stream) {
    launchNodes(copied(child->nodes), stream, caller);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  if (graph == nullptr || from == nullptr || to == nullptr) return result(cudaErrorInvalidValue);
  for (std::size_t k = 0; k < count; ++k) to[k]->after.push_back(from[k]);
  return result();
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel, Caller caller) {
  const ApiCall call;
  if (kernel == nullptr) return result(cudaErrorInvalidValue);
  return changeNode(program, node, queueKernel(*kernel, caller));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t program, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind, Caller caller) {
  const ApiCall call;
  return changeNode(program, node, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream, caller);
  });
}

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
  if (program == nullptr) return result(cudaErrorInvalidValue);
  *program = nullptr;
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  GraphNodes nodes = copied(graph->nodes);
  if (nodes.size() < graph->nodes.size())
    return result(cudaErrorInvalidValue, "nodes of the graph wait for each other in a circle");
  *program = new GraphProgram{std::move(nodes)};
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
/// Returns whether two nodes do the same kind of work.
static bool isSameKind(const GraphNode& one, const GraphNode& other) {
  const auto isKernel = [](const GraphNode& node) { return node.what.starts_with("kernel "); };
  return one.after.size() == other.after.size() &&
         (one.what == other.what || (isKernel(one) && isKernel(other)));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  const ApiCall call;
  if (program == nullptr || graph == nullptr || info == nullptr)
    return result(cudaErrorInvalidValue);
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  const GraphNodes &now = program->nodes, next = copied(graph->nodes);
  for (std::size_t i = 0; i < std::max(now.size(), next.size()); ++i) {
    if (i < std::min(now.size(), next.size()) && isSameKind(*now[i], *next[i])) continue;
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    if (i < next.size()) info->errorNode = graph->nodes[i].get();
    return result(cudaErrorGraphExecUpdateFailure);
  }
  program->nodes = next;
  return result();
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                cudaGraphNode_t* errorNode, cudaGraphExecUpdateResult* told) {
  if (errorNode == nullptr || told == nullptr) return result(cudaErrorInvalidValue);
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(program, graph, &info);
  *errorNode = info.errorNode;
  *told = info.result;
  return error;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
  *clone = new Graph{copied(graph->nodes), {}, false};
  return result();
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
  launchNodes(program->nodes, stream, caller);
  return result();
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return result(); }
