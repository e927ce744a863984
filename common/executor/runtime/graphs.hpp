/// \file
/// Graphs: work that is captured once and launched as a whole.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/graph_api.hpp"
#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

/// A captured operation, and the nodes that precede it.
struct GraphNode {
  std::string what;
  Caller caller;
  std::function<void()> run;
  Uses uses;
  std::vector<GraphNode*> after;
  const GraphNode* original = nullptr;  ///< in a program: the graph's node
};

using GraphNodes = std::vector<std::shared_ptr<GraphNode>>;

struct Graph {
  GraphNodes nodes;
  // Used while streams are captured into it:
  std::vector<Stream*> streams;  ///< the first is the one whose capture was started
  bool isInvalid = false;  ///< there was work that cannot be captured
};

/// An instantiated graph.
struct GraphProgram {
  GraphNodes nodes;  ///< each after those that precede it
};

/// Adds an operation to the graph that \p stream is captured into.
void capture(Stream& stream, const Operation& operation);
/// Returns the error of a call that cannot be captured, and makes the running captures invalid;
/// cudaSuccess if there are none.
cudaError_t refuseCapture();
/// Returns the error of work that cannot be queued in the legacy stream \p stream, because a stream
/// that is not non-blocking is being captured. Makes those captures invalid. Returns cudaSuccess if
/// there are none.
cudaError_t refuseImplicit(cudaStream_t stream);

}  // namespace nbody::executor::runtime
