// How many blocks of a kernel fit.
#include <algorithm>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_table.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/launch_checks.hpp"
#include "executor/runtime/occupancy_api.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor {

using namespace runtime;

namespace runtime {

void activeBlocksOf(int* blocks, const Kernel& kernel, int threads, std::size_t sharedBytes) {
  const DeviceModel& m = model();
  *blocks = 0;
  if (threads <= 0 || threads > kMostThreads || sharedBytes > dynamicLimitOf(kernel)) return;
  const int rounded = (threads + 31) / 32 * 32;
  *blocks = std::min(m.blocksPerMultiprocessor, m.threadsPerMultiprocessor / rounded);
  *blocks = std::min(*blocks, kRegistersPerMultiprocessor / (kRegistersPerThread * rounded));
  const std::size_t shared = sharedBytes + staticSharedBytes(kernel);
  if (shared > 0)
    *blocks = std::min(
        *blocks, static_cast<int>(m.sharedPerMultiprocessor / (shared + m.reservedSharedPerBlock)));
}

}  // namespace runtime

cudaError_t activeBlocks(int* blocks, const void* address, int threads, std::size_t sharedBytes) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (threads <= 0) return result(cudaErrorInvalidValue);
  activeBlocksOf(blocks, *kernel, threads, sharedBytes);
  return result();
}

cudaError_t bestBlock(int* blocks,
                      int* threads,
                      const void* address,
                      std::size_t (*sharedBytes)(const void* data, int threads),
                      const void* data,
                      int mostThreads) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  const int limit = mostThreadsOf(*kernel);
  int best = 0;
  for (int size = mostThreads > 0 ? std::min(mostThreads, limit) : limit; size > 0;
       size = (size - 1) / 32 * 32) {
    int active = 0;
    activeBlocksOf(&active, *kernel, size, sharedBytes(data, size));
    if (active * size <= best) continue;
    best = active * size;
    *threads = size;
    *blocks = active * runtimeSettings().multiprocessors;
  }
  return result(best > 0 ? cudaSuccess : cudaErrorInvalidConfiguration);
}

}  // namespace nbody::executor
