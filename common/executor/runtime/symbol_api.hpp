/// \file
/// CUDA's functions for device variables.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor {

/// Copies \p bytes bytes from \p other to a variable of \p size bytes, or if not \p isTo the other
/// way. \p offset: the part's first byte in the variable. what: name of the called function.
cudaError_t copySymbol(const char* what, bool isTo, const void* symbol, std::size_t size,
                       const void* other, std::size_t bytes, std::size_t offset,
                       cudaMemcpyKind kind, cudaStream_t stream, bool isAsync, Caller caller);
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
const void* beginOfSymbol(const T& symbol) {
  return const_cast<const void*>(static_cast<const volatile void*>(&symbol));
}

}  // namespace nbody::executor

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               nbody::executor::Caller caller = {}) {
  return nbody::executor::copySymbol("cudaMemcpyToSymbol", true,
                                     nbody::executor::beginOfSymbol(symbol), sizeof symbol, from,
                                     bytes, offset, kind, nullptr, false, caller);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr,
                                    nbody::executor::Caller caller = {}) {
  return nbody::executor::copySymbol("cudaMemcpyToSymbolAsync", true,
                                     nbody::executor::beginOfSymbol(symbol), sizeof symbol, from,
                                     bytes, offset, kind, stream, true, caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 nbody::executor::Caller caller = {}) {
  return nbody::executor::copySymbol("cudaMemcpyFromSymbol", false,
                                     nbody::executor::beginOfSymbol(symbol), sizeof symbol, to,
                                     bytes, offset, kind, nullptr, false, caller);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr,
                                      nbody::executor::Caller caller = {}) {
  return nbody::executor::copySymbol("cudaMemcpyFromSymbolAsync", false,
                                     nbody::executor::beginOfSymbol(symbol), sizeof symbol, to,
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
