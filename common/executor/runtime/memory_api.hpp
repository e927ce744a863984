/// \file
/// CUDA's functions that allocate, copy and fill memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/stream_api.hpp"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

typedef struct cudaArray* cudaArray_t;

enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged,
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

// Flags, with the numbers from CUDA's driver_types.h.
enum : unsigned {
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4,
  cudaHostRegisterDefault = 0,
  cudaHostRegisterPortable = 1,
  cudaHostRegisterMapped = 2,
  cudaHostRegisterIoMemory = 4,
  cudaHostRegisterReadOnly = 8,
  cudaMemAttachGlobal = 1,
  cudaMemAttachHost = 2,
  cudaMemAttachSingle = 4,
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid,
  cudaMemLocationTypeDevice,
  cudaMemLocationTypeHost,
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy,
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

typedef struct nbodyMemPool* cudaMemPool_t;
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies,
  cudaMemPoolAttrReleaseThreshold,
  cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrReservedMemHigh,
  cudaMemPoolAttrUsedMemCurrent,
  cudaMemPoolAttrUsedMemHigh,
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone };
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned char reserved[56];
};
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone,
  cudaMemAccessFlagsProtRead,
  cudaMemAccessFlagsProtReadWrite = 3,
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};

namespace nbody::executor {

/// A pointer of any type, also to const, which CUDA's functions set.
template <class T>
void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}

template <class T, class = void>
constexpr std::size_t kBytesOf = 0;  // unknown if a type is only declared
template <class T>
constexpr std::size_t
    kBytesOf<T, std::enable_if_t<!std::is_void_v<T>, std::void_t<decltype(sizeof(T))>>> = sizeof(T);

/// Tells the checker the element size of memory from a function. Its reports use the size.
void setElementBytes(const volatile void* pointer, std::size_t bytes);
template <class T>
cudaError_t ofElements(T** pointer, cudaError_t error) {
  if (error == cudaSuccess && 0 < kBytesOf<T>) setElementBytes(*pointer, kBytesOf<T>);
  return error;
}

/// True if a type is the address of a pointer. In an allocation the translator replaces the cast to
/// void** by addressOfPointer(), so that the address keeps its type.
template <class T>
struct IsPlainPointer : std::false_type {};
template <class T>
struct IsPlainPointer<T**> : std::true_type {};
template <class Address>
auto addressOfPointer(Address&& address) {
  using A = std::decay_t<Address>;
  if constexpr (IsPlainPointer<A>::value) return static_cast<A>(address);
  else return (void**)address;
}

}  // namespace nbody::executor

/// Declares a function that allocates, with an overload for pointers to any type.
#define NBODY_ALLOCATES(name, parameters, arguments)                                            \
  cudaError_t name(void** pointer, NBODY_UNBRACKETED parameters,                                \
                   nbody::executor::Caller caller = {});                                        \
  template <class T>                                                                            \
  cudaError_t name(T** pointer, NBODY_UNBRACKETED parameters,                                   \
                   nbody::executor::Caller caller = {}) {                                       \
    return nbody::executor::ofElements(                                                         \
        pointer, name(nbody::executor::untyped(pointer), NBODY_UNBRACKETED arguments, caller)); \
  }
#define NBODY_UNBRACKETED(...) __VA_ARGS__
/// Allocates device memory with all bytes 0xff, which as float is NaN until it is written.
NBODY_ALLOCATES(cudaMalloc, (std::size_t bytes), (bytes))
NBODY_ALLOCATES(cudaMallocPitch, (std::size_t * pitch, std::size_t width, std::size_t height),
                (pitch, width, height))
NBODY_ALLOCATES(cudaMallocAsync, (std::size_t bytes, cudaStream_t stream), (bytes, stream))
NBODY_ALLOCATES(cudaMallocFromPoolAsync,
                (std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream), (bytes, pool, stream))
NBODY_ALLOCATES(cudaMallocManaged, (std::size_t bytes, unsigned flags = cudaMemAttachGlobal),
                (bytes, flags))
NBODY_ALLOCATES(cudaMallocHost, (std::size_t bytes, unsigned flags = cudaHostAllocDefault),
                (bytes, flags))
NBODY_ALLOCATES(cudaHostAlloc, (std::size_t bytes, unsigned flags), (bytes, flags))
#undef NBODY_UNBRACKETED
#undef NBODY_ALLOCATES

// Functions with exactly CUDA's types, because programs pass their addresses.
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, nbody::executor::Caller caller = {});

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags,
                             nbody::executor::Caller caller = {});
cudaError_t cudaHostUnregister(void* pointer, nbody::executor::Caller caller = {});
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(nbody::executor::untyped(device), host, flags);
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// Memory pools. All give memory in the same way.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list,
                                 std::size_t count);

// Hints without effect, because managed memory does not move.
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

namespace nbody::executor {

/// Bytes that the ends of a copy point into, from there on, if the compiler knows them, for example
/// of arrays on the stack. Otherwise -1.
struct ObjectSizes {
  std::size_t to = static_cast<std::size_t>(-1);
  std::size_t from = static_cast<std::size_t>(-1);
};

cudaError_t copyBytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream, bool isAsync, Caller caller, ObjectSizes sizes);

}  // namespace nbody::executor

// Inlined, because the compiler knows the sizes where the function is called.
inline __attribute__((always_inline)) cudaError_t cudaMemcpy(void* to, const void* from,
                                                             std::size_t bytes, cudaMemcpyKind kind,
                                                             nbody::executor::Caller caller = {}) {
  return nbody::executor::copyBytes(to, from, bytes, kind, nullptr, false, caller,
                                    {__builtin_object_size(to, 0), __builtin_object_size(from, 0)});
}
inline __attribute__((always_inline)) cudaError_t cudaMemcpyAsync(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
    cudaStream_t stream = nullptr, nbody::executor::Caller caller = {}) {
  return nbody::executor::copyBytes(to, from, bytes, kind, stream, true, caller,
                                    {__builtin_object_size(to, 0), __builtin_object_size(from, 0)});
}
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from,
                              std::size_t fromPitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});

// Memory of three dimensions: rows of `pitch` bytes, slices of `ysize` rows. Positions and widths are in bytes.
struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPos {
  std::size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                          std::size_t height) {
  return {pointer, pitch, width, height};
}
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent,
                         nbody::executor::Caller caller = {});
/// Copies between pitched memory; not from or to arrays.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy, nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent,
                         nbody::executor::Caller caller = {});
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream = nullptr, nbody::executor::Caller caller = {});

cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice,
                           std::size_t bytes, nbody::executor::Caller caller = {});
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                std::size_t bytes, cudaStream_t stream = nullptr,
                                nbody::executor::Caller caller = {});

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes,
                       nbody::executor::Caller caller = {});
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr, nbody::executor::Caller caller = {});
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, nbody::executor::Caller caller = {});
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});
