// Copies between CUDA's arrays and memory with a pitch, of several slices.
#include "executor/runtime/array_parts.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/texture_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

/// Slice by slice.
static cudaError_t copy3D(const char* what,
                          const cudaMemcpy3DParms& p,
                          cudaStream_t stream,
                          bool isAsync,
                          Caller caller) {
  const cudaArray* any = p.srcArray != nullptr ? p.srcArray : p.dstArray;
  if (any != nullptr && !isArray(any)) return result(cudaErrorInvalidValue);
  const std::size_t width = p.extent.width * (any != nullptr ? any->texelBytes() : 1);
  const auto rowsAt = [](const cudaPitchedPtr& memory, const cudaPos& at, std::size_t z) {
    char* begin = static_cast<char*>(memory.ptr);
    return Rows{begin + ((at.z + z) * memory.ysize + at.y) * memory.pitch + at.x, memory.pitch};
  };
  for (std::size_t z = 0; z < p.extent.depth; ++z) {
    ConstRows from = {rowsAt(p.srcPtr, p.srcPos, z).begin, p.srcPtr.pitch};
    if (p.srcArray != nullptr) {
      const Part part = {
          p.srcArray, p.srcPos.x * p.srcArray->texelBytes(), p.srcPos.y, p.srcPos.z + z};
      if (!holds(part, width, p.extent.height, what, caller)) return result(cudaErrorInvalidValue);
      from = part.constRows();
    }
    cudaError_t error;
    if (p.dstArray != nullptr && isArray(p.dstArray)) {
      const Part part = {
          p.dstArray, p.dstPos.x * p.dstArray->texelBytes(), p.dstPos.y, p.dstPos.z + z};
      error = copyToPart(what, part, from, width, p.extent.height, p.kind, stream, isAsync, caller);
    } else {
      error = copy({what,
                    rowsAt(p.dstPtr, p.dstPos, z),
                    from,
                    width,
                    p.extent.height,
                    p.kind,
                    stream,
                    isAsync,
                    caller});
    }
    if (error != cudaSuccess) return error;
  }
  return result();
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, Caller caller) {
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  return copy3D("cudaMemcpy3D", *parameters, nullptr, false, caller);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                              cudaStream_t stream,
                              Caller caller) {
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  return copy3D("cudaMemcpy3DAsync", *parameters, stream, true, caller);
}
