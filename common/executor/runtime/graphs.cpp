#include "executor/runtime/graphs.hpp"

namespace nbody::executor::runtime {

GraphNode* Graph::add(std::string what, std::function<void()> run, std::vector<GraphNode*> after) {
  nodes.push_back(std::make_unique<GraphNode>(
      GraphNode{std::move(what), std::move(run), std::move(after)}));
  return nodes.back().get();
}

void capture(Stream& stream, const Operation& operation) {
  stream.captured = {stream.capture->add(operation.what, operation.run, stream.captured)};
}

}  // namespace nbody::executor::runtime
