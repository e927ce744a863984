// CUDA's own names for copies and fills.
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/error_state.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static Rows rows(void* begin, std::size_t pitch) { return {static_cast<char*>(begin), pitch}; }
static ConstRows rows(const void* begin, std::size_t pitch) {
  return {static_cast<const char*>(begin), pitch};
}

cudaError_t nbody::executor::copyBytes(void* to,
                                       const void* from,
                                       std::size_t bytes,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream,
                                       bool isAsync,
                                       Caller caller,
                                       ObjectSizes sizes) {
  return copy({isAsync ? "cudaMemcpyAsync" : "cudaMemcpy",
               rows(to, bytes),
               rows(from, bytes),
               bytes,
               1,
               kind,
               stream,
               isAsync,
               caller,
               sizes});
}
cudaError_t cudaMemcpy2D(void* to,
                         std::size_t toPitch,
                         const void* from,
                         std::size_t fromPitch,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind,
                         Caller caller) {
  return copy({"cudaMemcpy2D",
               rows(to, toPitch),
               rows(from, fromPitch),
               width,
               height,
               kind,
               nullptr,
               false,
               caller});
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes, Caller caller) {
  return copy({"cudaMemcpyPeer",
               rows(to, bytes),
               rows(from, bytes),
               bytes,
               1,
               cudaMemcpyDeviceToDevice,
               nullptr,
               false,
               caller});
}
cudaError_t cudaMemcpyPeerAsync(void* to,
                                int,
                                const void* from,
                                int,
                                std::size_t bytes,
                                cudaStream_t stream,
                                Caller caller) {
  return copy({"cudaMemcpyPeerAsync",
               rows(to, bytes),
               rows(from, bytes),
               bytes,
               1,
               cudaMemcpyDeviceToDevice,
               stream,
               true,
               caller});
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes, Caller caller) {
  return fill({"cudaMemset", rows(pointer, bytes), value, bytes, 1, nullptr, caller});
}
cudaError_t cudaMemsetAsync(void* pointer,
                            int value,
                            std::size_t bytes,
                            cudaStream_t stream,
                            Caller caller) {
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
