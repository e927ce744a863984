/// \file
/// CUDA's functions for graphs.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/graph_types.hpp"

// --- Putting one together. Each function that adds a node takes the nodes that it comes after.

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original);

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaKernelNodeParams* parameters,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaMemcpy3DParms* parameters,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* after,
                                     std::size_t count,
                                     void* to,
                                     const void* from,
                                     std::size_t bytes,
                                     cudaMemcpyKind kind,
                                     nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* after,
                                   std::size_t count,
                                   const cudaMemsetParams* parameters,
                                   nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node,
                                 cudaGraph_t graph,
                                 const cudaGraphNode_t* after,
                                 std::size_t count,
                                 const cudaHostNodeParams* parameters,
                                 nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t* after,
                                       std::size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t* after,
                                  std::size_t count);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t* after,
                                        std::size_t count,
                                        cudaEvent_t event);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* after,
                                     std::size_t count,
                                     cudaMemAllocNodeParams* parameters,
                                     nbody::executor::Caller caller = {});
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t* after,
                                    std::size_t count,
                                    void* pointer);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to,
                                     std::size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to,
                                        std::size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);

// --- Looking at one. With a null list the count alone is set.

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph,
                              cudaGraphNode_t* from,
                              cudaGraphNode_t* to,
                              std::size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t* nodes,
                                         std::size_t* count);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters,
                                         nbody::executor::Caller caller = {});
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                           void* to,
                                           const void* from,
                                           std::size_t bytes,
                                           cudaMemcpyKind kind,
                                           nbody::executor::Caller caller = {});
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams* parameters,
                                         nbody::executor::Caller caller = {});
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams* parameters,
                                       nbody::executor::Caller caller = {});
