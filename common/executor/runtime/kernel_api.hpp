/// \file
/// CUDA's functions that take a kernel: launches by address, attributes, how many blocks fit.
#pragma once

#include "executor/runtime/device_api.hpp"
#include "executor/runtime/launch.hpp"

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore,
  cudaLaunchAttributeAccessPolicyWindow,
  cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent,
  cudaLaunchAttributePriority,
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative, priority, programmaticStreamSerializationAllowed;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[4];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum : unsigned { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };
enum {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

namespace nbody::executor {

/// Functions that call a kernel whose parameters the address no longer tells: with an array of
/// arguments, and with arguments of zeros, which only describes the kernel.
struct KernelCalls {
  void (*withArguments)(const void* kernel, void** arguments);
  void (*withZeros)(const void* kernel);
};
const void* registerKernel(const void* kernel, KernelCalls calls);

/// A configuration, and the line that launches with it.
struct LaunchConfiguration {
  LaunchConfiguration(const cudaLaunchConfig_t* config, Caller caller = {});
  Launch launch;
};

/// Returns the error of a launch that \p before was not there, the error before it.
cudaError_t errorOfLaunch(cudaError_t before);

/// Zeros for arguments, as many bytes as a kernel may have.
extern const unsigned char kZeros[];

template <class... Parameters>
struct CallsOf {
  using Pointer = void (*)(Parameters...);
  template <class T>
  static T& at(const void* address) {
    return *static_cast<T*>(const_cast<void*>(address));
  }
  template <std::size_t... I>
  static void call(Pointer kernel, void** arguments, std::index_sequence<I...>) {
    kernel(at<std::remove_reference_t<Parameters>>(arguments[I])...);
  }
  static void withArguments(const void* kernel, void** arguments) {
    call(reinterpret_cast<Pointer>(const_cast<void*>(kernel)), arguments,
         std::index_sequence_for<Parameters...>());
  }
  static void withZeros(const void* kernel) {
    reinterpret_cast<Pointer>(const_cast<void*>(kernel))(
        at<std::remove_reference_t<Parameters>>(kZeros)...);
  }
};

/// Returns a kernel's address as void*, and remembers its parameters.
template <class... Parameters>
void* kernelAddress(void (*kernel)(Parameters...)) {
  using Calls = CallsOf<Parameters...>;
  return const_cast<void*>(registerKernel(reinterpret_cast<const void*>(kernel),
                                          {&Calls::withArguments, &Calls::withZeros}));
}
inline void* kernelAddress(const void* kernel) { return const_cast<void*>(kernel); }

cudaError_t launchByAddress(const void* kernel, void** arguments, const Launch& launch);
cudaError_t attributesOf(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t setAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
/// Sets the number of blocks of \p threads threads that a multiprocessor holds at once.
cudaError_t activeBlocks(int* blocks, const void* kernel, int threads, std::size_t sharedBytes);
/// Sets the bytes of dynamic shared memory that each of so many blocks may have.
cudaError_t availableShared(std::size_t* bytes, const void* kernel, int blocks, int threads);
/// Sets the block size with which most threads are active, and how many blocks fill the device.
cudaError_t bestBlock(int* blocks, int* threads, const void* kernel,
                      std::size_t (*sharedBytes)(const void* data, int threads), const void* data,
                      int mostThreads);

}  // namespace nbody::executor

template <class K>
cudaError_t cudaLaunchKernel(K* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t sharedBytes = 0, cudaStream_t stream = nullptr,
                             nbody::executor::Caller caller = {}) {
  return nbody::executor::launchByAddress(nbody::executor::kernelAddress(kernel), arguments,
                                          {grid, block, sharedBytes, stream, caller, false});
}
template <class K>
cudaError_t cudaLaunchCooperativeKernel(K* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t sharedBytes = 0, cudaStream_t stream = nullptr,
                                        nbody::executor::Caller caller = {}) {
  return nbody::executor::launchByAddress(nbody::executor::kernelAddress(kernel), arguments,
                                          {grid, block, sharedBytes, stream, caller, true});
}

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(nbody::executor::LaunchConfiguration configuration,
                               void (*kernel)(Parameters...), Arguments&&... arguments) {
  const cudaError_t before = cudaPeekAtLastError();
  nbody::executor::Configure latest(configuration.launch);
  latest.at();
  kernel(std::forward<Arguments>(arguments)...);
  return nbody::executor::errorOfLaunch(before);
}
template <class K>
cudaError_t cudaLaunchKernelExC(nbody::executor::LaunchConfiguration configuration, K* kernel,
                                void** arguments) {
  return nbody::executor::launchByAddress(nbody::executor::kernelAddress(kernel), arguments,
                                          configuration.launch);
}

template <class K>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, K* kernel) {
  return nbody::executor::attributesOf(attributes, nbody::executor::kernelAddress(kernel));
}
template <class K>
cudaError_t cudaFuncSetAttribute(K* kernel, cudaFuncAttribute attribute, int value) {
  return nbody::executor::setAttribute(nbody::executor::kernelAddress(kernel), attribute, value);
}
template <class K>
cudaError_t cudaFuncSetCacheConfig(K*, cudaFuncCache) {
  return cudaSuccess;
}

template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K* kernel, int threads,
                                                          std::size_t sharedBytes) {
  return nbody::executor::activeBlocks(blocks, nbody::executor::kernelAddress(kernel), threads,
                                       sharedBytes);
}
template <class K>
cudaError_t cudaFuncSetSharedMemConfig(K*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, K* kernel,
                                                                   int threads,
                                                                   std::size_t sharedBytes,
                                                                   unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, sharedBytes);
}
template <class K>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, K* kernel, int blocks,
                                                      int threads) {
  return nbody::executor::availableShared(bytes, nbody::executor::kernelAddress(kernel), blocks,
                                          threads);
}
template <class K, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* blocks, int* threads, K* kernel,
                                                           F sharedBytes, int mostThreads = 0) {
  const auto call = [](const void* function, int count) {
    return static_cast<std::size_t>((*static_cast<F*>(const_cast<void*>(function)))(count));
  };
  return nbody::executor::bestBlock(blocks, threads, nbody::executor::kernelAddress(kernel), call,
                                    &sharedBytes, mostThreads);
}
template <class K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, K* kernel,
                                               std::size_t sharedBytes = 0, int mostThreads = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      blocks, threads, kernel, [sharedBytes](int) { return sharedBytes; }, mostThreads);
}
template <class K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* threads, K* kernel,
                                                        std::size_t sharedBytes = 0,
                                                        int mostThreads = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(blocks, threads, kernel, sharedBytes, mostThreads);
}
