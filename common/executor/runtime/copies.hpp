/// \file
/// Copies and fills of the runtime.
#pragma once

#include <cstddef>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor::runtime {

/// Rows of memory, \p pitch bytes apart.
struct Rows {
  Rows(void* begin, std::size_t pitch) : begin(static_cast<char*>(begin)), pitch(pitch) {}
  char* begin;
  std::size_t pitch;
};
struct ConstRows {
  ConstRows(const void* begin, std::size_t pitch)
      : begin(static_cast<const char*>(begin)), pitch(pitch) {}
  const char* begin;
  std::size_t pitch;
};

struct CopyJob {
  const char* what;  ///< name of the called function
  Rows to;
  ConstRows from;
  std::size_t width;  ///< bytes per row
  std::size_t height;
  cudaMemcpyKind kind;
  cudaStream_t stream;
  bool isAsync;
  Caller caller;
  ObjectSizes sizes = {};
  bool isBySymbol = false;  ///< one end is a variable that the program names
};
struct FillJob {
  const char* what;
  Rows rows;
  int value;
  std::size_t width;
  std::size_t height;
  cudaStream_t stream;
  Caller caller;
};

/// Checks a copy, and makes or queues it.
cudaError_t copy(CopyJob job);
cudaError_t fill(FillJob job);

}  // namespace nbody::executor::runtime
