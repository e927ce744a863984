#include "executor/runtime/kernel_table.hpp"

#include <map>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/launch_checks.hpp"

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

BoundKernel bindAddress(const void* address, void** arguments) {
  const auto position = kernels().find(address);
  if (position == kernels().end()) return {};
  return bind([&] { position->second.withArguments(address, arguments); });
}

}  // namespace runtime

const void* registerKernel(const void* kernel, KernelCalls calls) {
  const ApiCall call;
  kernels()[kernel] = calls;
  return kernel;
}

std::vector<std::size_t> parameterBytes(const void* kernel) {
  const auto position = kernels().find(kernel);
  if (position == kernels().end()) return {};
  const KernelCalls& calls = position->second;
  return {calls.bytes, calls.bytes + calls.count};
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

}  // namespace nbody::executor
