// CUDA's functions that look at graphs, change how their nodes hang together, and run them.
#include <algorithm>
#include <memory>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graph_api.hpp"
#include "executor/runtime/graphs.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  *graph = new Graph;
  return result();
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  delete graph;
  return result();
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  if (clone == nullptr || original == nullptr) return result(cudaErrorInvalidValue);
  *clone = original->clone().release();
  return result();
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t,
                                     const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
  return result();
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t,
                                        const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to,
                                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto& after = to[i]->after;
    const auto position = std::find(after.begin(), after.end(), from[i]);
    if (position == after.end()) return result(cudaErrorInvalidValue);
    after.erase(position);
  }
  return result();
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (node == nullptr) return result(cudaErrorInvalidValue);
  auto& nodes = node->graph->nodes;
  for (const auto& other : nodes)
    other->after.erase(std::remove(other->after.begin(), other->after.end(), node),
                       other->after.end());
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; }));
  return result();
}

/// Gives the list, as far as the program has room for it, and its length.
static cudaError_t give(const std::vector<GraphNode*>& list, cudaGraphNode_t* nodes, std::size_t* count) {
  if (count == nullptr) return result(cudaErrorInvalidValue);
  if (nodes != nullptr) std::copy_n(list.begin(), std::min(*count, list.size()), nodes);
  *count = nodes != nullptr ? std::min(*count, list.size()) : list.size();
  return result();
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  std::vector<GraphNode*> list;
  for (const auto& node : graph->nodes) list.push_back(node.get());
  return give(list, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  std::vector<GraphNode*> list;
  for (const auto& node : graph->nodes)
    if (node->after.empty()) list.push_back(node.get());
  return give(list, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph,
                              cudaGraphNode_t* from,
                              cudaGraphNode_t* to,
                              std::size_t* count) {
  if (graph == nullptr || count == nullptr) return result(cudaErrorInvalidValue);
  std::vector<GraphNode*> befores, afters;
  for (const auto& node : graph->nodes)
    for (GraphNode* before : node->after) {
      befores.push_back(before);
      afters.push_back(node.get());
    }
  std::size_t same = *count;
  give(befores, from, &same);
  return give(afters, to, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (node == nullptr || type == nullptr) return result(cudaErrorInvalidValue);
  *type = node->type;
  return result();
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t* nodes,
                                         std::size_t* count) {
  if (node == nullptr) return result(cudaErrorInvalidValue);
  return give(node->after, nodes, count);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  for (const auto& twin : clone->nodes)
    if (twin->original == original) {
      *node = twin.get();
      return result();
    }
  return result(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGraphMemTrim(int) { return result(); }
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void* value) {
  const ApiCall call;
  *static_cast<unsigned long long*>(value) = deviceBytes();
  return result();
}
