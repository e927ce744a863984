/// \file
/// CUDA's functions for pools of memory.
#pragma once

#include "executor/runtime/memory_api.hpp"

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const cudaMemAccessDesc* list,
                                 std::size_t count);
