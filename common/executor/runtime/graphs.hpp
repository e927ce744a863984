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

namespace nbody::executor::runtime {

struct Operation;
struct Stream;

/// An operation that was captured, and the nodes that it comes after.
struct GraphNode {
  std::string what;
  Caller caller;
  std::function<void()> run;
  std::vector<GraphNode*> after;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< each behind those that it comes after
  // While streams are captured into it:
  std::vector<Stream*> streams;  ///< the first is the one that was told to
  bool isInvalid = false;  ///< something was asked for that cannot be captured
};

/// An instantiated graph.
struct GraphProgram {
  struct Step {
    std::string what;
    Caller caller;
    std::function<void()> run;
    std::vector<std::size_t> after;  ///< steps that it follows
  };
  std::vector<Step> steps;
};

/// Adds an operation to the graph that \p stream captures.
void capture(Stream& stream, const Operation& operation);
/// Returns the error of a call that cannot be captured, and makes the running captures invalid;
/// cudaSuccess if there are none.
cudaError_t refuseCapture();
/// Returns the error of work that cannot be queued, because \p stream is the legacy stream and one
/// that is not non-blocking captures. Makes those captures invalid; cudaSuccess if there are none.
cudaError_t refuseImplicit(cudaStream_t stream);

}  // namespace nbody::executor::runtime
