// Graphs from what streams are asked to do.
#include <algorithm>
#include <memory>
#include <set>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"

using namespace nbody::executor::runtime;

namespace nbody::executor::runtime {

namespace {

/// The graphs that streams are captured into at present.
std::set<Graph*>& underWay() {
  static auto& graphs = *new std::set<Graph*>;
  return graphs;
}

/// Whether all that the other streams have been asked for comes before the end of the first one.
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

}  // namespace

/// Takes all streams out of the capture.
static void endCapture(Graph& graph) {
  underWay().erase(&graph);
  for (Stream* stream : graph.streams) {
    stream->capture = nullptr;
    stream->captured.clear();
  }
  graph.streams.clear();
}

void capture(Stream& stream, const Operation& operation) {
  auto& nodes = stream.capture->nodes;
  nodes.push_back(std::make_unique<GraphNode>(
      GraphNode{operation.what, operation.caller, operation.run, stream.captured}));
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
