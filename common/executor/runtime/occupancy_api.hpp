/// \file
/// CUDA's functions that say how many blocks of a kernel fit.
#pragma once

#include "executor/runtime/kernel_api.hpp"

namespace nbody::executor {

/// Blocks of \p threads threads that a multiprocessor holds at once.
cudaError_t activeBlocks(int* blocks, const void* kernel, int threads, std::size_t sharedBytes);
/// The block size with which most threads are active, and the blocks that fill the device.
cudaError_t bestBlock(int* blocks,
                      int* threads,
                      const void* kernel,
                      std::size_t (*sharedBytes)(const void* data, int threads),
                      const void* data,
                      int mostThreads);

}  // namespace nbody::executor

template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          K* kernel,
                                                          int threads,
                                                          std::size_t sharedBytes) {
  return nbody::executor::activeBlocks(
      blocks, nbody::executor::kernelAddress(kernel), threads, sharedBytes);
}
template <class K, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* blocks,
                                                           int* threads,
                                                           K* kernel,
                                                           F sharedBytes,
                                                           int mostThreads = 0) {
  const auto call = [](const void* function, int count) {
    return static_cast<std::size_t>((*static_cast<F*>(const_cast<void*>(function)))(count));
  };
  return nbody::executor::bestBlock(
      blocks, threads, nbody::executor::kernelAddress(kernel), call, &sharedBytes, mostThreads);
}
template <class K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks,
                                               int* threads,
                                               K* kernel,
                                               std::size_t sharedBytes = 0,
                                               int mostThreads = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      blocks, threads, kernel, [sharedBytes](int) { return sharedBytes; }, mostThreads);
}
