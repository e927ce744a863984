// Kernels whose addresses the program has taken: facts about each, and how many blocks of it fit.
#include <algorithm>
#include <map>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/launch_checks.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor {

using namespace runtime;

alignas(64) const unsigned char kZeros[32768] = {};

namespace {

std::map<const void*, KernelCalls>& kernels() {
  static auto& theKernels = *new std::map<const void*, KernelCalls>;
  return theKernels;
}

}  // namespace

namespace runtime {

Kernel* kernelAt(const void* address) {
  const auto position = kernels().find(address);
  return position == kernels().end() ? nullptr
                                     : &describeKernel(address, position->second.withZeros);
}

int mostThreadsOf(const Kernel& kernel) {
  return kernel.mostThreads > 0 ? static_cast<int>(kernel.mostThreads) : kMostThreads;
}

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

const void* registerKernel(const void* kernel, KernelCalls calls) {
  const ApiCall call;
  kernels()[kernel] = calls;
  return kernel;
}

cudaError_t launchByAddress(const void* kernel, void** arguments, const Launch& launch) {
  const auto position = kernels().find(kernel);
  if (position == kernels().end()) return result(cudaErrorInvalidDeviceFunction);
  const cudaError_t before = cudaPeekAtLastError();
  Configure configuration(launch);
  configuration.at();
  position->second.withArguments(kernel, arguments);
  const cudaError_t now = cudaPeekAtLastError();
  return now != before ? now : stickyError();
}

cudaError_t attributesOf(cudaFuncAttributes* attributes, const void* address) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = staticSharedBytes(*kernel);
  attributes->maxThreadsPerBlock = mostThreadsOf(*kernel);
  attributes->numRegs = kRegistersPerThread;
  attributes->ptxVersion = attributes->binaryVersion = model().major * 10 + model().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamicLimitOf(*kernel));
  return result();
}

cudaError_t setAttribute(const void* address, cudaFuncAttribute attribute, int value) {
  const ApiCall call;
  Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return result();
  const std::size_t most = model().sharedPerBlockOptIn;
  if (value < 0 || value + staticSharedBytes(*kernel) > most) return result(cudaErrorInvalidValue);
  kernel->dynamicLimit = value;
  return result();
}

cudaError_t activeBlocks(int* blocks, const void* address, int threads, std::size_t sharedBytes) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (threads <= 0) return result(cudaErrorInvalidValue);
  activeBlocksOf(blocks, *kernel, threads, sharedBytes);
  return result();
}

cudaError_t bestBlock(int* blocks, int* threads, const void* address,
                      std::size_t (*sharedBytes)(const void* data, int threads), const void* data,
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
