/// \file
/// CUDA's functions for graphs that are run.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/graph_types.hpp"

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program,
                                 cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* program,
                                          cudaGraph_t graph,
                                          unsigned long long flags = 0);
/// As CUDA had it before 12.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program,
                                 cudaGraph_t graph,
                                 cudaGraphNode_t* errorNode,
                                 char* log,
                                 std::size_t logBytes);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program);
cudaError_t cudaGraphLaunch(cudaGraphExec_t program,
                            cudaStream_t stream,
                            nbody::executor::Caller caller = {});
cudaError_t cudaGraphUpload(cudaGraphExec_t program, cudaStream_t stream);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program,
                                cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
/// As CUDA had it before 12.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program,
                                cudaGraph_t graph,
                                cudaGraphNode_t* errorNode,
                                cudaGraphExecUpdateResult* outcome);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program,
                                             cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters,
                                             nbody::executor::Caller caller = {});
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t program,
                                               cudaGraphNode_t node,
                                               void* to,
                                               const void* from,
                                               std::size_t bytes,
                                               cudaMemcpyKind kind,
                                               nbody::executor::Caller caller = {});
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t program,
                                             cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters,
                                             nbody::executor::Caller caller = {});
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t program,
                                           cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters,
                                           nbody::executor::Caller caller = {});
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           cudaGraphMemAttributeType attribute,
                                           void* value);
