/// \file
/// CUDA's functions for device variables.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor {

/// Copies to or from a variable of \p size bytes.
cudaError_t copyToSymbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                         std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                         Caller caller);
cudaError_t copyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                           Caller caller);
cudaError_t addressOfSymbol(void** pointer, const void* symbol, Caller caller);
cudaError_t sizeOfSymbol(std::size_t* size, const void* symbol, std::size_t bytes, Caller caller);

/// Notes that the next copy or fill gets the address of a device variable as host code sees it.
void noteHostAddress(const volatile void* variable);

/// Returns \p address, or the array whose address it will be.
template <class T>
T&& hostAddress(T&& address) {
  noteHostAddress(address);
  return static_cast<T&&>(address);
}

template <class T>
void* beginOfSymbol(const T& symbol) {
  return const_cast<void*>(static_cast<const volatile void*>(&symbol));
}

}  // namespace nbody::executor

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               nbody::executor::Caller caller = {}) {
  return nbody::executor::copyToSymbol(nbody::executor::beginOfSymbol(symbol), sizeof symbol, from,
                                       bytes, offset, kind, nullptr, false, caller);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr,
                                    nbody::executor::Caller caller = {}) {
  return nbody::executor::copyToSymbol(nbody::executor::beginOfSymbol(symbol), sizeof symbol, from,
                                       bytes, offset, kind, stream, true, caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 nbody::executor::Caller caller = {}) {
  return nbody::executor::copyFromSymbol(to, nbody::executor::beginOfSymbol(symbol), sizeof symbol,
                                         bytes, offset, kind, nullptr, false, caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr,
                                      nbody::executor::Caller caller = {}) {
  return nbody::executor::copyFromSymbol(to, nbody::executor::beginOfSymbol(symbol), sizeof symbol,
                                         bytes, offset, kind, stream, true, caller);
}
template <class T, class P>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol,
                                 nbody::executor::Caller caller = {}) {
  return nbody::executor::addressOfSymbol(nbody::executor::untyped(pointer),
                                          nbody::executor::beginOfSymbol(symbol), caller);
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* size, const T& symbol,
                              nbody::executor::Caller caller = {}) {
  return nbody::executor::sizeOfSymbol(size, nbody::executor::beginOfSymbol(symbol), sizeof symbol,
                                       caller);
}
