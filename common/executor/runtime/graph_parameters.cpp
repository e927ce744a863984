#include "executor/runtime/graph_parameters.hpp"

#include <cstring>

#include "executor/checker/checker.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

cudaError_t kernelCall(const cudaKernelNodeParams& p, cudaStream_t stream, Caller caller) {
  return launchByAddress(p.func, p.kernelParams,
                         {p.gridDim, p.blockDim, p.sharedMemBytes, stream, caller, false});
}

cudaError_t memsetCall(const cudaMemsetParams& p, cudaStream_t stream, Caller caller) {
  const std::size_t width = p.width * p.elementSize;
  const std::size_t pitch = p.height > 1 ? p.pitch : width;
  if (p.elementSize == 1 || p.value == 0)
    return cudaMemset2DAsync(p.dst, pitch, static_cast<int>(p.value), width, p.height, stream, caller);
  if (p.elementSize != 2 && p.elementSize != 4) return result(cudaErrorInvalidValue);
  enqueueOperation(stream, "cudaMemset", caller, [p, pitch] {
    for (std::size_t y = 0; y < p.height; ++y) {
      char* row = static_cast<char*>(p.dst) + y * pitch;
      for (std::size_t x = 0; x < p.width; ++x)
        std::memcpy(aliasOf(row + x * p.elementSize), &p.value, p.elementSize);
      checker::markWritten(row, p.width * p.elementSize);
    }
  });
  return result();
}

void keepArguments(GraphNode& node, const cudaKernelNodeParams& p) {
  node.kernel = p;
  node.arguments.clear();
  node.argumentPointers.clear();
  for (const std::size_t bytes : parameterBytes(p.func)) {
    const char* begin = static_cast<const char*>(p.kernelParams[node.arguments.size()]);
    node.arguments.emplace_back(begin, begin + bytes);
  }
  for (auto& bytes : node.arguments) node.argumentPointers.push_back(bytes.data());
  node.kernel.kernelParams = node.argumentPointers.data();
}

}  // namespace nbody::executor::runtime
