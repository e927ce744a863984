#include "executor/runtime/graphs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

GraphNode* Graph::add(cudaGraphNodeType type,
                      std::vector<GraphWork> work,
                      std::vector<GraphNode*> after) {
  auto node = std::make_unique<GraphNode>();
  node->type = type;
  node->work = std::move(work);
  node->after = std::move(after);
  node->graph = this;
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

std::vector<GraphNode*> Graph::inOrder() const {
  std::vector<GraphNode*> ordered;
  std::set<const GraphNode*> placed;
  for (bool isMoving = true; isMoving && ordered.size() < nodes.size();) {
    isMoving = false;
    for (const auto& node : nodes) {
      const auto isPlaced = [&](const GraphNode* before) { return placed.count(before) != 0; };
      if (isPlaced(node.get()) || !std::all_of(node->after.begin(), node->after.end(), isPlaced))
        continue;
      ordered.push_back(node.get());
      placed.insert(node.get());
      isMoving = true;
    }
  }
  return ordered.size() == nodes.size() ? ordered : std::vector<GraphNode*>{};
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes) {
    GraphNode* twin = copy->add(node->type, node->work, {});
    twin->kernel = node->kernel;
    twin->arguments = node->arguments;
    for (auto& bytes : twin->arguments) twin->argumentPointers.push_back(bytes.data());
    twin->kernel.kernelParams = twin->argumentPointers.data();
    twin->original = node.get();
    copies[node.get()] = twin;
  }
  for (const auto& node : nodes)
    for (const GraphNode* before : node->after) copies[node.get()]->after.push_back(copies[before]);
  return copy;
}

std::vector<GraphWork> workOf(const std::function<cudaError_t(cudaStream_t)>& call,
                              cudaError_t* error) {
  Graph graph;
  Stream* stream = addStream(true, 0);
  stream->capture = &graph;
  *error = call(stream);
  removeStream(stream);
  std::vector<GraphWork> work;
  for (const auto& node : graph.nodes)
    work.insert(work.end(), node->work.begin(), node->work.end());
  return work;
}

void capture(Stream& stream, const Operation& operation) {
  const auto type = [&] {
    if (operation.what.rfind("kernel ", 0) == 0) return cudaGraphNodeTypeKernel;
    if (operation.what.rfind("cudaMemset", 0) == 0) return cudaGraphNodeTypeMemset;
    if (operation.what == "host function") return cudaGraphNodeTypeHost;
    return operation.what.rfind("cudaMemcpy", 0) == 0 ? cudaGraphNodeTypeMemcpy
                                                      : cudaGraphNodeTypeEmpty;
  };
  stream.captured = {stream.capture->add(
      type(), {{operation.what, operation.caller, operation.run}}, stream.captured)};
}

}  // namespace nbody::executor::runtime
