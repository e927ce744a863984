#include "executor/runtime/cuda_arrays.hpp"

#include <memory>
#include <set>
#include <string>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/texture_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static std::set<const cudaArray*>& arrays() {
  static auto& all = *new std::set<const cudaArray*>;  // programs free in destructors of statics
  return all;
}

namespace nbody::executor::runtime {

bool isFormat(const cudaChannelFormatDesc& f) {
  const int channels = (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0);
  const bool areFirst = channels == 1 || (channels == 2 && f.y > 0) || channels == 4;
  const bool areAlike = f.x + f.y + f.z + f.w == channels * f.x;
  const bool isSize = f.x == 16 || f.x == 32 || (f.x == 8 && f.f != cudaChannelFormatKindFloat);
  return areFirst && areAlike && isSize && f.f >= cudaChannelFormatKindSigned &&
         f.f <= cudaChannelFormatKindFloat;
}

bool isArray(const cudaArray* array) { return arrays().count(array) > 0; }

}  // namespace nbody::executor::runtime

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags, Caller caller) {
  const ApiCall call;
  if (array == nullptr || format == nullptr || width == 0) return result(cudaErrorInvalidValue);
  if (!isFormat(*format)) return result(cudaErrorInvalidChannelDescriptor);
  if ((flags & (cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore)) != 0) {
    report("executor: not supported: the array at " + place(caller) +
           " needs layers, a cube map or a surface, which the CPU executor does not have.");
    return result(cudaErrorNotSupported);
  }
  auto made = std::make_unique<cudaArray>(cudaArray{nullptr, *format, width, height});
  const std::size_t bytes = made->rowBytes() * made->rows();
  const Allocation* memory = allocate(bytes, Kind::device, made->texelBytes(), caller);
  if (memory == nullptr) return result(cudaErrorMemoryAllocation);
  made->texels = memory->begin;
  *array = made.release();
  arrays().insert(*array);
  return result();
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (array == nullptr) return result();
  if (!isArray(array)) {
    report("executor: wrong free: cudaFreeArray() at " + place(caller) +
           " frees a pointer that is not an array, or an array that was already freed.");
    return result(cudaErrorInvalidResourceHandle);
  }
  finishAll();
  if (Allocation* memory = allocationOf(array->texels)) release(*memory, caller);
  arrays().erase(array);
  delete array;
  return result();
}

/// Copies \p height rows of \p width bytes to the array, from byte \p x of row \p y on.
static cudaError_t copyToArray(const char* what, const cudaArray* array, std::size_t x,
                               std::size_t y, ConstRows from, std::size_t width, std::size_t height,
                               cudaMemcpyKind kind, Caller caller) {
  const ApiCall call;
  if (!isArray(array)) {
    report("executor: wrong array: " + std::string(what) + "() at " + place(caller) +
           " gets a pointer that is not an array, or an array that was already freed.");
    return result(cudaErrorInvalidValue);
  }
  const std::size_t row = array->rowBytes(), rows = array->rows();
  if (x > row || width > row - x || y > rows || height > rows - y) {
    report("executor: copy out of bounds: " + std::string(what) + "() at " + place(caller) +
           " uses " + std::to_string(height) + " rows of " + std::to_string(width) +
           " bytes, from byte " + std::to_string(x) + " of row " + std::to_string(y) +
           " on, but the array has only " + std::to_string(rows) + " rows of " +
           std::to_string(row) + " bytes.");
    return result(cudaErrorInvalidValue);
  }
  return copy({what, Rows{array->texels + y * row + x, row}, from, width, height, kind, nullptr,
               false, caller});
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind, Caller caller) {
  // Whole rows of the array, or a part of one.
  const bool isWhole = isArray(to) && toX == 0 && bytes % to->rowBytes() == 0;
  const std::size_t width = isWhole ? to->rowBytes() : bytes;
  return copyToArray("cudaMemcpyToArray", to, toX, toY, {static_cast<const char*>(from), width},
                     width, isWhole ? bytes / width : 1, kind, caller);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                                std::size_t fromPitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind, Caller caller) {
  return copyToArray("cudaMemcpy2DToArray", to, toX, toY,
                     {static_cast<const char*>(from), fromPitch}, width, height, kind, caller);
}
