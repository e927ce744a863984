/// \file
/// CUDA's graphs: work of streams is captured, or added node by node, instantiated and launched as a
/// whole.
#pragma once

#include <cstddef>

#include "executor/language/vector_types.hpp"
#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor::runtime {
struct Graph;
struct GraphNode;
struct GraphProgram;
}  // namespace nbody::executor::runtime

typedef nbody::executor::runtime::Graph* cudaGraph_t;
typedef nbody::executor::runtime::GraphNode* cudaGraphNode_t;
typedef nbody::executor::runtime::GraphProgram* cudaGraphExec_t;

// Numbers from CUDA's driver_types.h.
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed,
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated,
};
enum : unsigned {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4,
  cudaGraphInstantiateFlagUseNodePriority = 8,
};

enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess,
  cudaGraphExecUpdateError,
  cudaGraphExecUpdateErrorTopologyChanged,
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id = nullptr);

/// Sets only the count if the list is null.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct cudaMemsetParams {
  void* dst;
  std::size_t pitch;
  unsigned value, elementSize;
  std::size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
// Each adds a node that follows \p count nodes of the graph.
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* kernel,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* copy,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                     nbody::executor::Caller caller = {});
/// Only elements of one byte.
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* fill,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* function,
                                 nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count);
/// Adds the child's nodes. The new node is its last one.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t count,
                                       cudaGraph_t child, nbody::executor::Caller caller = {});
/// Lets each node to[k] follow from[k].
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count);
// These change a node of a program, which is named by the graph's node.
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel,
                                             nbody::executor::Caller caller = {});
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t program, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind,
                                               nbody::executor::Caller caller = {});

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* program, cudaGraph_t graph,
                                          unsigned long long flags = 0);
/// The form of CUDA 11.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph,
                                 cudaGraphNode_t* errorNode, char* log, std::size_t logBytes);
/// Gives the program the nodes of another graph, if they are of the same kinds in the same order.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
/// The form of CUDA 11.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                cudaGraphNode_t* errorNode, cudaGraphExecUpdateResult* result);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program);
cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream,
                            nbody::executor::Caller caller = {});
cudaError_t cudaGraphUpload(cudaGraphExec_t program, cudaStream_t stream);
