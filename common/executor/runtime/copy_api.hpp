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

cudaError_t copyBytes(void* to,
                      const void* from,
                      std::size_t bytes,
                      cudaMemcpyKind kind,
                      cudaStream_t stream,
                      bool isAsync,
                      Caller caller,
                      ObjectSizes sizes);

}  // namespace nbody::executor

// Inline, for the compiler knows the sizes where the call stands.
inline __attribute__((always_inline)) cudaError_t cudaMemcpy(void* to,
                                                             const void* from,
                                                             std::size_t bytes,
                                                             cudaMemcpyKind kind,
                                                             nbody::executor::Caller caller = {}) {
  return nbody::executor::copyBytes(to,
                                    from,
                                    bytes,
                                    kind,
                                    nullptr,
                                    false,
                                    caller,
                                    {__builtin_object_size(to, 0), __builtin_object_size(from, 0)});
}
inline __attribute__((always_inline)) cudaError_t cudaMemcpyAsync(
    void* to,
    const void* from,
    std::size_t bytes,
    cudaMemcpyKind kind,
    cudaStream_t stream = nullptr,
    nbody::executor::Caller caller = {}) {
  return nbody::executor::copyBytes(to,
                                    from,
                                    bytes,
                                    kind,
                                    stream,
                                    true,
                                    caller,
                                    {__builtin_object_size(to, 0), __builtin_object_size(from, 0)});
}
cudaError_t cudaMemcpy2D(void* to,
                         std::size_t toPitch,
                         const void* from,
                         std::size_t fromPitch,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind,
                         nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DAsync(void* to,
                              std::size_t toPitch,
                              const void* from,
                              std::size_t fromPitch,
                              std::size_t width,
                              std::size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemcpyPeer(void* to,
                           int toDevice,
                           const void* from,
                           int fromDevice,
                           std::size_t bytes,
                           nbody::executor::Caller caller = {});
cudaError_t cudaMemcpyPeerAsync(void* to,
                                int toDevice,
                                const void* from,
                                int fromDevice,
                                std::size_t bytes,
                                cudaStream_t stream = nullptr,
                                nbody::executor::Caller caller = {});

cudaError_t cudaMemset(void* pointer,
                       int value,
                       std::size_t bytes,
                       nbody::executor::Caller caller = {});
cudaError_t cudaMemsetAsync(void* pointer,
                            int value,
                            std::size_t bytes,
                            cudaStream_t stream = nullptr,
                            nbody::executor::Caller caller = {});
cudaError_t cudaMemset2D(void* pointer,
                         std::size_t pitch,
                         int value,
                         std::size_t width,
                         std::size_t height,
                         nbody::executor::Caller caller = {});
cudaError_t cudaMemset2DAsync(void* pointer,
                              std::size_t pitch,
                              int value,
                              std::size_t width,
                              std::size_t height,
                              cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemset3D(cudaPitchedPtr pointer,
                         int value,
                         cudaExtent extent,
                         nbody::executor::Caller caller = {});

namespace nbody::executor {

/// Copies to or from a variable of \p size bytes.
cudaError_t copyToSymbol(void* symbol,
                         std::size_t size,
                         const void* from,
                         std::size_t bytes,
                         std::size_t offset,
                         cudaMemcpyKind kind,
                         cudaStream_t stream,
                         bool async,
                         Caller caller);
cudaError_t copyFromSymbol(void* to,
                           const void* symbol,
                           std::size_t size,
                           std::size_t bytes,
                           std::size_t offset,
                           cudaMemcpyKind kind,
                           cudaStream_t stream,
                           bool async,
                           Caller caller);

/// The program has asked for the address of a variable.
void giveSymbolAddress(const void* variable);

/// The copy or fill that comes next is given the address of a variable of the device as host code
/// sees it.
void noteHostAddress(const volatile void* variable);

/// \p address, or the array that it is to become the address of.
template <class T>
T&& hostAddress(T&& address) {
  noteHostAddress(address);
  return static_cast<T&&>(address);
}

template <class T>
void* addressOfSymbol(const T& symbol) {
  return const_cast<void*>(static_cast<const volatile void*>(&symbol));
}

}  // namespace nbody::executor

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol,
                               const void* from,
                               std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               nbody::executor::Caller caller = {}) {
  return nbody::executor::copyToSymbol(nbody::executor::addressOfSymbol(symbol),
                                       sizeof symbol,
                                       from,
                                       bytes,
                                       offset,
                                       kind,
                                       nullptr,
                                       false,
                                       caller);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol,
                                    const void* from,
                                    std::size_t bytes,
                                    std::size_t offset,
                                    cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr,
                                    nbody::executor::Caller caller = {}) {
  return nbody::executor::copyToSymbol(nbody::executor::addressOfSymbol(symbol),
                                       sizeof symbol,
                                       from,
                                       bytes,
                                       offset,
                                       kind,
                                       stream,
                                       true,
                                       caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to,
                                 const T& symbol,
                                 std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 nbody::executor::Caller caller = {}) {
  return nbody::executor::copyFromSymbol(to,
                                         nbody::executor::addressOfSymbol(symbol),
                                         sizeof symbol,
                                         bytes,
                                         offset,
                                         kind,
                                         nullptr,
                                         false,
                                         caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to,
                                      const T& symbol,
                                      std::size_t bytes,
                                      std::size_t offset,
                                      cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr,
                                      nbody::executor::Caller caller = {}) {
  return nbody::executor::copyFromSymbol(to,
                                         nbody::executor::addressOfSymbol(symbol),
                                         sizeof symbol,
                                         bytes,
                                         offset,
                                         kind,
                                         stream,
                                         true,
                                         caller);
}
template <class T, class P>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  *pointer = static_cast<P*>(nbody::executor::addressOfSymbol(symbol));
  nbody::executor::giveSymbolAddress(*pointer);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  *bytes = sizeof symbol;
  return cudaSuccess;
}
