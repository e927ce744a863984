// CUDA's own names for copies and fills.
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/reports.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static Rows rows(void* begin, std::size_t pitch) { return {static_cast<char*>(begin), pitch}; }
static ConstRows rows(const void* begin, std::size_t pitch) {
  return {static_cast<const char*>(begin), pitch};
}

cudaError_t cudaMemcpy(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Caller caller) {
  return copy({"cudaMemcpy", rows(to, bytes), rows(from, bytes), bytes, 1, kind, nullptr, false,
               caller});
}
cudaError_t cudaMemcpyAsync(void* to,
                            const void* from,
                            std::size_t bytes,
                            cudaMemcpyKind kind,
                            cudaStream_t stream,
                            Caller caller) {
  return copy({"cudaMemcpyAsync", rows(to, bytes), rows(from, bytes), bytes, 1, kind, stream, true,
               caller});
}
cudaError_t cudaMemcpy2D(void* to,
                         std::size_t toPitch,
                         const void* from,
                         std::size_t fromPitch,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind,
                         Caller caller) {
  return copy({"cudaMemcpy2D", rows(to, toPitch), rows(from, fromPitch), width, height, kind,
               nullptr, false, caller});
}
cudaError_t cudaMemcpy2DAsync(void* to,
                              std::size_t toPitch,
                              const void* from,
                              std::size_t fromPitch,
                              std::size_t width,
                              std::size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream,
                              Caller caller) {
  return copy({"cudaMemcpy2DAsync", rows(to, toPitch), rows(from, fromPitch), width, height, kind,
               stream, true, caller});
}
cudaError_t cudaMemcpyPeer(
    void* to, int, const void* from, int, std::size_t bytes, Caller caller) {
  return copy({"cudaMemcpyPeer", rows(to, bytes), rows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, nullptr, false, caller});
}
cudaError_t cudaMemcpyPeerAsync(void* to,
                                int,
                                const void* from,
                                int,
                                std::size_t bytes,
                                cudaStream_t stream,
                                Caller caller) {
  return copy({"cudaMemcpyPeerAsync", rows(to, bytes), rows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, stream, true, caller});
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes, Caller caller) {
  return fill({"cudaMemset", rows(pointer, bytes), value, bytes, 1, nullptr, caller});
}
cudaError_t cudaMemsetAsync(
    void* pointer, int value, std::size_t bytes, cudaStream_t stream, Caller caller) {
  return fill({"cudaMemsetAsync", rows(pointer, bytes), value, bytes, 1, stream, caller});
}
cudaError_t cudaMemset2D(void* pointer,
                         std::size_t pitch,
                         int value,
                         std::size_t width,
                         std::size_t height,
                         Caller caller) {
  return fill({"cudaMemset2D", rows(pointer, pitch), value, width, height, nullptr, caller});
}
cudaError_t cudaMemset2DAsync(void* pointer,
                              std::size_t pitch,
                              int value,
                              std::size_t width,
                              std::size_t height,
                              cudaStream_t stream,
                              Caller caller) {
  return fill({"cudaMemset2DAsync", rows(pointer, pitch), value, width, height, stream, caller});
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, Caller caller) {
  const std::size_t slice = pointer.pitch * pointer.ysize;
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z)
    error = fill({"cudaMemset3D", rows(static_cast<char*>(pointer.ptr) + z * slice, pointer.pitch),
                  value, extent.width, extent.height, nullptr, caller});
  return error;
}

namespace nbody::executor {

/// What is wrong with a copy to or from a variable; empty: it stays within.
static std::string leaves(const char* what,
                          std::size_t size,
                          std::size_t bytes,
                          std::size_t offset,
                          const Caller& caller) {
  if (offset <= size && bytes <= size - offset) return "";
  return std::string("executor: copy out of bounds: ") + what + "() at " + place(caller) +
         " copies " + std::to_string(bytes) + " bytes" +
         (offset > 0 ? " at offset " + std::to_string(offset) : "") + " of a variable of " +
         std::to_string(size) + ".";
}

static cudaError_t wrongWay(const char* what, const char* way, const Caller& caller) {
  return mistake(cudaErrorInvalidMemcpyDirection,
                 std::string("executor: wrong direction: ") + what + "() at " + place(caller) +
                     " copies " + way + " a variable of the device, and is told otherwise.");
}

cudaError_t copyToSymbol(void* symbol,
                         std::size_t size,
                         const void* from,
                         std::size_t bytes,
                         std::size_t offset,
                         cudaMemcpyKind kind,
                         cudaStream_t stream,
                         bool isAsync,
                         Caller caller) {
  const char* what = isAsync ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "to", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  return copy({what, rows(static_cast<char*>(symbol) + offset, bytes), rows(from, bytes), bytes, 1,
               kind, stream, isAsync, caller});
}
cudaError_t copyFromSymbol(void* to,
                           const void* symbol,
                           std::size_t size,
                           std::size_t bytes,
                           std::size_t offset,
                           cudaMemcpyKind kind,
                           cudaStream_t stream,
                           bool isAsync,
                           Caller caller) {
  const char* what = isAsync ? "cudaMemcpyFromSymbolAsync" : "cudaMemcpyFromSymbol";
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "from", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  return copy({what, rows(to, bytes), rows(static_cast<const char*>(symbol) + offset, bytes), bytes,
               1, kind, stream, isAsync, caller});
}

}  // namespace nbody::executor
