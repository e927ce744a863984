/// \file
/// CUDA's functions that give and take memory.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/element_types.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_types.hpp"
#include "executor/runtime/stream_types.hpp"

/// Memory of the device, all bytes 0xff: as float it is NaN until something is written.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes, nbody::executor::Caller caller = {});
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height, nbody::executor::Caller caller = {});
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream,
                            nbody::executor::Caller caller = {});
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned flags = cudaHostAllocDefault,
                           nbody::executor::Caller caller = {});
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags,
                          nbody::executor::Caller caller = {});

// Functions of exactly CUDA's types, because programs pass their addresses.
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, nbody::executor::Caller caller = {});

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags,
                             nbody::executor::Caller caller = {});
cudaError_t cudaHostUnregister(void* pointer, nbody::executor::Caller caller = {});
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

// Pools of memory. There is only one.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list,
                                 std::size_t count);

// Hints: managed memory is where it is.
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) {
  return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream = nullptr);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle);

// Overloads that take pointers to any type.
template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes, nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(pointer,
                                     cudaMalloc(nbody::executor::untyped(pointer), bytes, caller));
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer, cudaMallocPitch(nbody::executor::untyped(pointer), pitch, width, height, caller));
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream,
                            nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer, cudaMallocAsync(nbody::executor::untyped(pointer), bytes, stream, caller));
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer, cudaMallocManaged(nbody::executor::untyped(pointer), bytes, flags, caller));
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned flags = cudaHostAllocDefault,
                           nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer, cudaMallocHost(nbody::executor::untyped(pointer), bytes, flags, caller));
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags,
                          nbody::executor::Caller caller = {}) {
  return nbody::executor::ofElements(
      pointer, cudaHostAlloc(nbody::executor::untyped(pointer), bytes, flags, caller));
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(nbody::executor::untyped(device), host, flags);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, std::size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
