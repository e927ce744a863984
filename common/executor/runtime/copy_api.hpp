/// \file
/// CUDA's functions that copy and fill memory.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_types.hpp"
#include "executor/runtime/stream_types.hpp"

namespace nbody::executor {

/// Bytes of what the ends of a copy point into, from there on, where the compiler knows it: of
/// arrays on the stack say. -1 elsewhere.
struct ObjectSizes {
  std::size_t to = static_cast<std::size_t>(-1);
  std::size_t from = static_cast<std::size_t>(-1);
};

cudaError_t copyBytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream, bool isAsync, Caller caller, ObjectSizes sizes);

}  // namespace nbody::executor

// Inline, because the compiler knows the sizes at the place of the call.
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
