// CUDA's functions for pools of memory, of which there is one, and hints about memory.
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/pool_api.hpp"

using namespace nbody::executor::runtime;

struct nbodyMemPool {};
static nbodyMemPool defaultPool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = &defaultPool;
  return result();
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
  if (pool == nullptr || value == nullptr) return result(cudaErrorInvalidValue);
  return result();
}
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
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t, unsigned) {
  return result();
}
