/// \file
/// Copies and fills of the runtime, and the mistakes in them.
#pragma once

#include <cstddef>
#include <string>

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

/// Returns what is wrong with a copy; empty if nothing.
std::string wrongWith(const CopyJob& job);
/// Copies at once, and tells the checker what was written.
void copyRows(const Rows& to, const ConstRows& from, std::size_t width, std::size_t height);
void fillRows(const Rows& rows, int value, std::size_t width, std::size_t height);

/// Side of an address in a copy.
enum class Side { host, device, either, nowhere };
Side sideOf(const void* pointer);

/// One end of a copy or fill.
struct CopyEnd {
  const void* pointer;
  std::size_t bytes;  ///< from the first to the last, with gaps between rows
  bool isTarget;
  std::size_t room =
      static_cast<std::size_t>(-1);  ///< bytes from there on, if the compiler knows them
};

/// Returns what is wrong with one end of the operation \p what at \p caller; empty if nothing.
std::string wrongWith(const std::string& what, const Caller& caller, cudaMemcpyKind kind,
                      CopyEnd end);

}  // namespace nbody::executor::runtime
