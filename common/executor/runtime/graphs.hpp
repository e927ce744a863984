/// \file
/// Graphs: work that is put together once and launched as a whole.
#pragma once

#include <memory>
#include <vector>

#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;

  /// A node behind \p after, all of this graph.
  GraphNode* add(std::string what, std::function<void()> run, std::vector<GraphNode*> after);
};

/// Adds an operation to the graph that \p stream captures.
void capture(Stream& stream, const Operation& operation);

}  // namespace nbody::executor::runtime
