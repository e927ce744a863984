// CUDA's functions that allocate and free memory, register host memory, and name pools and hints.
#include <cstdint>
#include <cstring>

#include "base/host_memory.hpp"
#include "executor/checker/checker.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

/// Returns whether there is enough memory. Linux promises memory that it lacks, and kills the
/// process that touches it.
static bool isThere(std::size_t bytes, const Caller& caller) {
  const std::size_t free = nbody::hostMemory().free;
  constexpr std::size_t kShadow = 12;  // bytes that the checker needs per byte that kernels touch
  if (checker::kOn && bytes <= free / 2 && bytes > free / (1 + kShadow))
    note("executor: note: the array of " + std::to_string(bytes) + " bytes at " + place(caller) +
         " is large for the checker. If kernels touch all of it, the checker needs up to " +
         std::to_string((kShadow * bytes) >> 30) + " GiB more.");
  return bytes <= free / (checker::kOn ? 2 : 1);
}

namespace nbody::executor {

cudaError_t allocateFor(void** pointer, std::size_t bytes, Kind kind, Caller caller) {
  const ApiCall call;
  countWork();
  if (stickyError() != cudaSuccess) return result();
  if (const cudaError_t error = failureAskedFor("the allocation", caller); error != cudaSuccess)
    return result(error);
  if (pointer == nullptr) return result(cudaErrorInvalidValue);
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  if (bytes == 0) {
    *pointer = nullptr;
    return result();
  }
  Allocation* a = isThere(bytes, caller) ? allocate(bytes, kind, 0, caller) : nullptr;
  if (a == nullptr) return result(cudaErrorMemoryAllocation);
  *pointer = a->begin;
  return result();
}

void setElementBytes(const volatile void* pointer, std::size_t bytes) {
  const ApiCall call;
  void* begin = const_cast<void*>(pointer);
  if (const Allocation* a = allocationOf(begin))
    checker::describe(begin, a->name, bytes, a->caller.file, a->caller.line);
}

}  // namespace nbody::executor

cudaError_t cudaMalloc(void** pointer, std::size_t bytes, Caller caller) {
  return allocateFor(pointer, bytes, Kind::device, caller);
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream, Caller caller) {
  const cudaError_t error = allocateFor(pointer, bytes, Kind::device, caller);
  if (error != cudaSuccess || *pointer == nullptr || !isStream(stream)) return error;
  const ApiCall call;
  Allocation& a = *allocationOf(*pointer);
  // The memory exists at once, but only work that is ordered after this may use it.
  a.operation = enqueueOperation(stream, kMallocAsync, caller,
                                 [&a] { checker::allocateRange(a.begin, a.bytes); });
  return error;
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream, Caller caller) {
  return cudaMallocAsync(pointer, bytes, stream, caller);
}
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags, Caller caller) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return result(cudaErrorInvalidValue);
  return allocateFor(pointer, bytes, Kind::managed, caller);
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned, Caller caller) {
  return allocateFor(pointer, bytes, Kind::pinned, caller);
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned, Caller caller) {
  return allocateFor(pointer, bytes, Kind::pinned, caller);
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height, Caller caller) {
  if (pitch == nullptr) return result(cudaErrorInvalidValue);
  *pitch = roundedUp(width, 512);
  return allocateFor(pointer, *pitch * height, Kind::device, caller);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, Caller caller) {
  if (memory == nullptr) return result(cudaErrorInvalidValue);
  *memory = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth,
                         caller);
}

/// Frees \p a in stream order. Work that is not ordered with it races, as with a write.
static void freeInStream(Allocation& a, cudaStream_t stream, const Caller& caller) {
  a.isFreedLater = true;
  const OperationPointer operation = enqueueOperation(stream, kFreeAsync, caller, [&a, caller] {
    checker::accessRange(a.begin, a.bytes, true);
    release(a, caller);
  });
  if (a.operation != nullptr) operation->after.push_back(a.operation);
}

/// Frees memory allocated by one of \p isHost's functions, or reports a wrong pointer. \p stream:
/// null, unless it frees in stream order.
static cudaError_t freeBy(const char* what, void* pointer, bool isHost, const Caller& caller,
                          const cudaStream_t* stream = nullptr) {
  const ApiCall call;
  if (pointer == nullptr) return result();
  if (const cudaError_t error = failureAskedFor(what, caller); error != cudaSuccess)
    return result(error);
  if (stream != nullptr && !isStream(*stream)) return result(cudaErrorInvalidResourceHandle);
  if (!currentThread.inKernel && stream == nullptr) finishAll();
  Allocation* a = allocationOnce(pointer);
  const auto start = [&] {  // only when needed, because finding the place starts another program
    return "executor: wrong free: " + std::string(what) + "() at " + place(caller);
  };
  std::string wrong;
  if (a == nullptr || a->kind == Kind::registered) {
    wrong = start() + " frees memory that no CUDA function has allocated.";
  } else if (a->isFreed || a->isFreedLater) {
    wrong = "executor: double free: " + std::string(what) + "() at " + place(caller) + " frees " +
            describe(*a) + whenFreed(*a) + ".";
  } else if (a->begin != pointer) {
    wrong = start() + " frees an address inside " + describe(*a) + ".";
  } else if (isHost != (a->kind == Kind::pinned)) {
    wrong = start() + " frees " + describe(*a) + ": use " +
            (isHost ? "cudaFree()." : "cudaFreeHost().");
  }
  if (!wrong.empty() && stickyError() != cudaSuccess)
    return result();  // a failed call may have left the pointer unset
  if (!wrong.empty()) return refused(cudaErrorInvalidValue, wrong);
  if (stream != nullptr && !currentThread.inKernel) freeInStream(*a, *stream, caller);
  else release(*a, caller);
  return result();
}

bool nbody::executor::runtime::isWronglyFreed(void* pointer, const char* function,
                                              const void* caller) {
  const Allocation* a = allocationOnce(pointer);
  if (a == nullptr || a->kind == Kind::registered || a->begin != pointer) return false;
  if (a->isFreed && a->kind == Kind::pinned) return false;  // the heap may have reused the address
  report("executor: wrong free: " + std::string(function) + " at " + place(Caller(caller)) +
         " frees " + describe(*a) + ": use " +
         (a->kind == Kind::pinned ? "cudaFreeHost()." : "cudaFree()."));
  return true;
}

cudaError_t cudaFree(void* pointer) {
  return freeBy("cudaFree", pointer, false, Caller(__builtin_return_address(0)));
}
cudaError_t cudaFreeHost(void* pointer) {
  return freeBy("cudaFreeHost", pointer, true, Caller(__builtin_return_address(0)));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, Caller caller) {
  return freeBy(kFreeAsync, pointer, false, caller, &stream);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const nbody::HostMemory memory = nbody::hostMemory();
  *free = memory.free;
  *total = memory.total;
  return result();
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned, Caller caller) {
  const ApiCall call;
  if (pointer == nullptr || bytes == 0) return result(cudaErrorInvalidValue);
  if (allocationOf(pointer) != nullptr) return result(cudaErrorHostMemoryAlreadyRegistered);
  addRegistered(pointer, bytes, caller);
  return result();
}
cudaError_t cudaHostUnregister(void* pointer, Caller caller) {
  const ApiCall call;
  finishAll();
  Allocation* a = allocationOf(pointer);
  if (a == nullptr || a->kind != Kind::registered || a->begin != pointer)
    return result(cudaErrorHostMemoryNotRegistered);
  release(*a, caller);
  return result();
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  const ApiCall call;
  const Allocation* a = allocationOf(host);
  if (device == nullptr || a == nullptr || a->kind == Kind::device)
    return result(cudaErrorInvalidValue);
  *device = host;
  return result();
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const ApiCall call;
  const Allocation* a = allocationOf(host);
  const bool isHosts = a != nullptr && (a->kind == Kind::pinned || a->kind == Kind::registered);
  if (flags == nullptr || !isHosts) return result(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;
  return result();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const ApiCall call;
  if (attributes == nullptr) return result(cudaErrorInvalidValue);
  void* const p = const_cast<void*>(pointer);
  const Allocation* a = allocationOf(pointer);
  if (a == nullptr && isSymbol(pointer)) *attributes = {cudaMemoryTypeDevice, 0, p, nullptr};
  else if (a == nullptr)
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
  else if (a->kind == Kind::device) *attributes = {cudaMemoryTypeDevice, 0, p, nullptr};
  else if (a->kind == Kind::managed) *attributes = {cudaMemoryTypeManaged, 0, p, p};
  else *attributes = {cudaMemoryTypeHost, 0, p, p};
  return result();
}

/// Attributes that the program may set and read.
struct nbodyMemPool {
  std::uint64_t attributes[cudaMemPoolAttrUsedMemHigh + 1] = {0, 1, 1, 1};
};
static nbodyMemPool defaultPool;
static cudaMemPool_t currentPool = &defaultPool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = &defaultPool;
  return result();
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int) {
  *pool = currentPool;
  return result();
}
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t pool) {
  currentPool = pool;
  return result(pool == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return result(cudaErrorInvalidValue);
  *pool = new nbodyMemPool;
  return result();
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == nullptr || pool == &defaultPool) return result(cudaErrorInvalidValue);
  if (currentPool == pool) currentPool = &defaultPool;
  delete pool;
  return result();
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return result(); }

/// Returns a pool's attribute; null if there is none. The first three are int.
static std::uint64_t* attributeOf(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const bool isOne = pool != nullptr && value != nullptr && attribute > 0 &&
                     attribute <= cudaMemPoolAttrUsedMemHigh;
  return isOne ? &pool->attributes[attribute] : nullptr;
}
static std::size_t bytesOf(cudaMemPoolAttr attribute) {
  return attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof(std::uint64_t);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  std::uint64_t* const own = attributeOf(pool, attribute, value);
  if (own == nullptr) return result(cudaErrorInvalidValue);
  std::memcpy(own, value, bytesOf(attribute));
  return result();
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const std::uint64_t* const own = attributeOf(pool, attribute, value);
  if (own == nullptr) return result(cudaErrorInvalidValue);
  std::memcpy(value, own, bytesOf(attribute));
  return result();
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, std::size_t) {
  return result();
}

cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t) { return result(); }
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned,
                                 cudaStream_t) {
  return result();
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t, unsigned) {
  return result();
}

namespace nbody::executor {

void markWritten(void* to, std::size_t bytes) { checker::markWritten(to, bytes); }

}  // namespace nbody::executor
