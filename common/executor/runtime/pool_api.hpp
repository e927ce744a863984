/// \file
/// CUDA's functions for pools of memory.
#pragma once

#include "executor/runtime/memory_api.hpp"

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const cudaMemAccessDesc* list,
                                 std::size_t count);
cudaError_t cudaMallocFromPoolAsync(void** pointer,
                                    std::size_t bytes,
                                    cudaMemPool_t pool,
                                    cudaStream_t stream,
                                    nbody::executor::Caller caller = {});

template <class T>
cudaError_t cudaMallocAsync(T** pointer,
                            std::size_t bytes,
                            cudaMemPool_t pool,
                            cudaStream_t stream,
                            nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer,
      cudaMallocFromPoolAsync(nbody::executor::untyped(pointer), bytes, pool, stream, caller));
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer,
                                    std::size_t bytes,
                                    cudaMemPool_t pool,
                                    cudaStream_t stream,
                                    nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer,
      cudaMallocFromPoolAsync(nbody::executor::untyped(pointer), bytes, pool, stream, caller));
}
