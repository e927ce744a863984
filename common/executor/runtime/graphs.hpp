/// \file
/// Graphs: work that is put together once and launched as a whole.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/graph_types.hpp"

namespace nbody::executor::runtime {

struct Operation;
struct Stream;

/// What a node does: one operation, or several in order where a function of CUDA makes several.
struct GraphWork {
  std::string what;
  Caller caller;
  std::function<void()> run;
};

struct GraphNode {
  cudaGraphNodeType type;
  std::vector<GraphWork> work;
  std::vector<GraphNode*> after;
  Graph* graph = nullptr;
  cudaKernelNodeParams kernel = {};  ///< of a kernel's node, with arguments of its own
  std::vector<std::vector<char>> arguments;
  std::vector<void*> argumentPointers;
  const GraphNode* original = nullptr;  ///< of which it is a clone
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  // While streams are captured into it:
  std::vector<Stream*> streams;  ///< the first is the one that was told to
  bool isInvalid = false;  ///< something was asked for that cannot be captured

  GraphNode* add(cudaGraphNodeType type,
                 std::vector<GraphWork> work,
                 std::vector<GraphNode*> after);
  /// The nodes so that each stands behind those that it comes after; empty where they go in
  /// circles.
  std::vector<GraphNode*> inOrder() const;
  std::unique_ptr<Graph> clone() const;
};

/// An instantiated graph.
struct GraphProgram {
  struct Step {
    const GraphNode* node;  ///< may be gone: only an identity
    cudaGraphNodeType type;
    std::vector<GraphWork> work;
    std::vector<std::size_t> after;  ///< steps that it follows
  };
  std::vector<Step> steps;
};

/// The steps of a graph whose nodes are in order.
std::vector<GraphProgram::Step> stepsOf(const std::vector<GraphNode*>& order);
/// Queues the steps, of which only those follow each other that do in the graph.
void launchSteps(const GraphProgram& program, cudaStream_t stream, Caller caller);

/// The work of a call of the runtime, which makes it in the stream that it is given; what is wrong
/// with the call becomes \p error.
std::vector<GraphWork> workOf(const std::function<cudaError_t(cudaStream_t)>& call,
                              cudaError_t* error);

/// Adds an operation to the graph that \p stream captures.
void capture(Stream& stream, const Operation& operation);
/// Takes all streams out of the capture.
void endCapture(Graph& graph);
/// What a call returns that cannot be captured, which spoils the captures under way; cudaSuccess
/// where there are none.
cudaError_t refuseCapture();
/// The same of work for \p stream, which cannot be queued where it is the legacy stream and one
/// that is not non-blocking captures.
cudaError_t refuseImplicit(cudaStream_t stream);

}  // namespace nbody::executor::runtime
