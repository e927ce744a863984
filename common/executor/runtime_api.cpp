#include "executor/runtime_api.hpp"

#include <cstdlib>
#include <cstring>

#include "base/host_memory.hpp"
#include "executor/checker/checker.hpp"

namespace checker = nbody::executor::checker;

#ifdef NBODY_CHECK_ASAN
/// A program that ends after a report has leaks, of which nobody wants to read.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

const char* cudaGetErrorString(cudaError_t error) {
  constexpr const char* kTexts[] = {"no error", "invalid argument", "out of memory"};
  return kTexts[error];
}

static void* allocateAligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;  // that of cudaMalloc on a GPU
  // To the byte: behind it begins what ASan forbids.
  void* pointer = nullptr;
  return posix_memalign(&pointer, kAlignment, bytes) == 0 ? pointer : nullptr;
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  cudaMemGetInfo(&free, &total);
  // Linux hands out memory that it does not have and kills the process that touches it: ask first.
  constexpr std::size_t kNeededPerByte = checker::kOn ? 18 : 1;  // the shadow has 17
  if (bytes > free / kNeededPerByte) return cudaErrorMemoryAllocation;
  *pointer = checker::kOn ? checker::allocate(bytes) : allocateAligned(bytes);
  if (*pointer == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*pointer, 0xff, bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  if (checker::kOn) checker::release(pointer);
  else std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  checker::markWritten(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (bytes > 0) std::memset(to, value, bytes);
  checker::markWritten(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  nbody::HostMemory memory = nbody::hostMemory();
  *free = memory.free;
  *total = memory.total;
  return cudaSuccess;
}
