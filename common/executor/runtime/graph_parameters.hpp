/// \file
/// Nodes' parameters as the calls that they stand for.
#pragma once

#include "executor/runtime/graphs.hpp"

namespace nbody::executor::runtime {

cudaError_t kernelCall(const cudaKernelNodeParams& p, cudaStream_t stream, Caller caller);
/// Of elements of 1, 2 or 4 bytes.
cudaError_t memsetCall(const cudaMemsetParams& p, cudaStream_t stream, Caller caller);
/// The node has arguments of its own, which a program may ask for.
void keepArguments(GraphNode& node, const cudaKernelNodeParams& p);

}  // namespace nbody::executor::runtime
