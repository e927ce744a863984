/// \file
/// Copies and fills as the runtime carries them out, and the mistakes in them.
#pragma once

#include <cstddef>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

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

/// Side of an address, as far as a copy is concerned.
enum class Side { host, device, either, nowhere };
Side sideOf(const void* pointer);

/// One end of a copy or of a fill.
struct CopyEnd {
  const void* pointer;
  std::size_t bytes;  ///< from the first to the last, gaps between rows counted in
  bool isTarget;
  std::size_t room =
      static_cast<std::size_t>(-1);  ///< bytes from there on that the compiler knows of
};

/// Says what is wrong with one end of the operation \p what at \p caller; empty: nothing.
std::string wrongWith(const std::string& what, const Caller& caller, cudaMemcpyKind kind,
                      CopyEnd end);

}  // namespace nbody::executor::runtime
