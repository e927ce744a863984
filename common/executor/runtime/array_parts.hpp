/// \file
/// Parts of CUDA's arrays, and copies to and from them.
#pragma once

#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/cuda_arrays.hpp"

namespace nbody::executor::runtime {

/// A part of an array: offsets and width in bytes, rows of one slice.
struct Part {
  const cudaArray* array;
  std::size_t x, y, z;

  Rows rows() const {
    const std::size_t row = array->rowBytes();
    return {array->texels + (z * array->rows() + y) * row + x, row};
  }
  ConstRows constRows() const { return {rows().begin, rows().pitch}; }
};

/// Whether \p width bytes of \p height rows are within the array; reports where they are not.
bool holds(const Part& part,
           std::size_t width,
           std::size_t height,
           const char* what,
           Caller caller);

/// A copy of which one end is a part of an array.
cudaError_t copyToPart(const char* what,
                       const Part& to,
                       ConstRows from,
                       std::size_t width,
                       std::size_t height,
                       cudaMemcpyKind kind,
                       cudaStream_t stream,
                       bool isAsync,
                       Caller caller);
cudaError_t copyFromPart(const char* what,
                         Rows to,
                         const Part& from,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind,
                         cudaStream_t stream,
                         bool isAsync,
                         Caller caller);

}  // namespace nbody::executor::runtime
