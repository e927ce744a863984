// Copies to CUDA's arrays.
#include <string>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/cuda_arrays.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/texture_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

/// Copies \p height rows of \p width bytes to the array, from byte \p x of row \p y on.
static cudaError_t copyToArray(const char* what,
                               const cudaArray* array,
                               std::size_t x,
                               std::size_t y,
                               ConstRows from,
                               std::size_t width,
                               std::size_t height,
                               cudaMemcpyKind kind,
                               Caller caller) {
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
  return copy({what,
               Rows{array->texels + y * row + x, row},
               from,
               width,
               height,
               kind,
               nullptr,
               false,
               caller});
}

cudaError_t cudaMemcpyToArray(cudaArray_t to,
                              std::size_t toX,
                              std::size_t toY,
                              const void* from,
                              std::size_t bytes,
                              cudaMemcpyKind kind,
                              Caller caller) {
  // Whole rows of the array, or a part of one.
  const bool isWhole = isArray(to) && toX == 0 && bytes % to->rowBytes() == 0;
  const std::size_t width = isWhole ? to->rowBytes() : bytes;
  return copyToArray("cudaMemcpyToArray",
                     to,
                     toX,
                     toY,
                     {static_cast<const char*>(from), width},
                     width,
                     isWhole ? bytes / width : 1,
                     kind,
                     caller);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to,
                                std::size_t toX,
                                std::size_t toY,
                                const void* from,
                                std::size_t fromPitch,
                                std::size_t width,
                                std::size_t height,
                                cudaMemcpyKind kind,
                                Caller caller) {
  return copyToArray("cudaMemcpy2DToArray",
                     to,
                     toX,
                     toY,
                     {static_cast<const char*>(from), fromPitch},
                     width,
                     height,
                     kind,
                     caller);
}
