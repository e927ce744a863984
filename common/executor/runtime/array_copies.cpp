// Copies to and from CUDA's arrays, of one row or several.
#include "executor/runtime/array_parts.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/texture_api.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

namespace {

/// The rows of a copy without rows of its own: whole ones of the array, or a part of one.
struct Shape {
  std::size_t width, height;
};
Shape shapeOf(const cudaArray* array, std::size_t x, std::size_t bytes) {
  const bool isWhole = isArray(array) && x == 0 && bytes % array->rowBytes() == 0;
  return isWhole ? Shape{array->rowBytes(), bytes / array->rowBytes()} : Shape{bytes, 1};
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to,
                              std::size_t toX,
                              std::size_t toY,
                              const void* from,
                              std::size_t bytes,
                              cudaMemcpyKind kind,
                              Caller caller) {
  const Shape shape = shapeOf(to, toX, bytes);
  return copyToPart("cudaMemcpyToArray",
                    {to, toX, toY, 0},
                    {static_cast<const char*>(from), shape.width},
                    shape.width,
                    shape.height,
                    kind,
                    nullptr,
                    false,
                    caller);
}
cudaError_t cudaMemcpyFromArray(void* to,
                                cudaArray_const_t from,
                                std::size_t fromX,
                                std::size_t fromY,
                                std::size_t bytes,
                                cudaMemcpyKind kind,
                                Caller caller) {
  const Shape shape = shapeOf(from, fromX, bytes);
  return copyFromPart("cudaMemcpyFromArray",
                      {static_cast<char*>(to), shape.width},
                      {from, fromX, fromY, 0},
                      shape.width,
                      shape.height,
                      kind,
                      nullptr,
                      false,
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
  return copyToPart("cudaMemcpy2DToArray",
                    {to, toX, toY, 0},
                    {static_cast<const char*>(from), fromPitch},
                    width,
                    height,
                    kind,
                    nullptr,
                    false,
                    caller);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to,
                                     std::size_t toX,
                                     std::size_t toY,
                                     const void* from,
                                     std::size_t fromPitch,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t stream,
                                     Caller caller) {
  return copyToPart("cudaMemcpy2DToArrayAsync",
                    {to, toX, toY, 0},
                    {static_cast<const char*>(from), fromPitch},
                    width,
                    height,
                    kind,
                    stream,
                    true,
                    caller);
}
cudaError_t cudaMemcpy2DFromArray(void* to,
                                  std::size_t toPitch,
                                  cudaArray_const_t from,
                                  std::size_t fromX,
                                  std::size_t fromY,
                                  std::size_t width,
                                  std::size_t height,
                                  cudaMemcpyKind kind,
                                  Caller caller) {
  return copyFromPart("cudaMemcpy2DFromArray",
                      {static_cast<char*>(to), toPitch},
                      {from, fromX, fromY, 0},
                      width,
                      height,
                      kind,
                      nullptr,
                      false,
                      caller);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to,
                                       std::size_t toPitch,
                                       cudaArray_const_t from,
                                       std::size_t fromX,
                                       std::size_t fromY,
                                       std::size_t width,
                                       std::size_t height,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream,
                                       Caller caller) {
  return copyFromPart("cudaMemcpy2DFromArrayAsync",
                      {static_cast<char*>(to), toPitch},
                      {from, fromX, fromY, 0},
                      width,
                      height,
                      kind,
                      stream,
                      true,
                      caller);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to,
                                     std::size_t toX,
                                     std::size_t toY,
                                     cudaArray_const_t from,
                                     std::size_t fromX,
                                     std::size_t fromY,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind,
                                     Caller caller) {
  const char* what = "cudaMemcpy2DArrayToArray";
  const Part source = {from, fromX, fromY, 0};
  if (!holds(source, width, height, what, caller)) return result(cudaErrorInvalidValue);
  return copyToPart(
      what, {to, toX, toY, 0}, source.constRows(), width, height, kind, nullptr, false, caller);
}
