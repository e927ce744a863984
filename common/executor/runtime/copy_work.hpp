/// \file
/// Copies and fills as the runtime carries them out.
#pragma once

#include <cstddef>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_types.hpp"
#include "executor/runtime/stream_types.hpp"

namespace nbody::executor::runtime {

/// Rows of memory, \p pitch bytes from one to the next.
struct Rows {
  char* begin;
  std::size_t pitch;
};
struct ConstRows {
  const char* begin;
  std::size_t pitch;
};

struct CopyJob {
  const char* what;  ///< the function that was called
  Rows to;
  ConstRows from;
  std::size_t width;  ///< bytes of a row
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

/// Says what is wrong with a copy; empty: nothing.
std::string wrongWith(const CopyJob& job);
/// At once. The checker is told what has been written.
void copyRows(const Rows& to, const ConstRows& from, std::size_t width, std::size_t height);
void fillRows(const Rows& rows, int value, std::size_t width, std::size_t height);

}  // namespace nbody::executor::runtime
