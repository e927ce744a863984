// CUDA's functions for pools of memory, of which there is one, and hints about memory.
#include <cstring>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/pool_api.hpp"

using namespace nbody::executor::runtime;

/// A pool tells apart nothing but itself.
struct nbodyMemPool {
  unsigned long long releaseThreshold = 0;
};
static nbodyMemPool defaultPool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = &defaultPool;
  return result();
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return result(); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  *pool = new nbodyMemPool;
  return result();
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == &defaultPool) return result(cudaErrorInvalidValue);
  delete pool;
  return result();
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr) return result(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold)
    std::memcpy(&pool->releaseThreshold, value, sizeof pool->releaseThreshold);
  return result();
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr) return result(cudaErrorInvalidValue);
  const ApiCall call;
  unsigned long long number = 1;  // the reuse of memory, which is allowed
  std::size_t bytes = sizeof(int);
  if (attribute >= cudaMemPoolAttrReleaseThreshold) {
    bytes = sizeof number;
    number = attribute == cudaMemPoolAttrReleaseThreshold ? pool->releaseThreshold : deviceBytes();
  }
  std::memcpy(value, &number, bytes);
  return result();
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return result(); }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, std::size_t) {
  return result();
}

cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t) { return result(); }
cudaError_t cudaMemPrefetchAsync(const void*,
                                 std::size_t,
                                 cudaMemLocation,
                                 unsigned,
                                 cudaStream_t) {
  return result();
}
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) { return result(); }
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return result();
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t, unsigned) {
  return result();
}
