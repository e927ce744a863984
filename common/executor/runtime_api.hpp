/// \file
/// The part of CUDA's runtime API that the suite's host code uses, on the memory of the CPU.
#pragma once

#include <cstddef>

#include "executor/language/vector_types.hpp"

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

const char* cudaGetErrorString(cudaError_t error);

/// Allocates \p bytes bytes, all 0xff: as float they are NaN until something is written.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
/// Memory of the machine that a process may still take, and all of it, in bytes.
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

// A launch on the executor returns when its kernel has ended, and reports what went wrong by
// throwing.
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
