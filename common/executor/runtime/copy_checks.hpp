/// \file
/// Mistakes in copies: direction, length, memory that is none.
#pragma once

#include <cstddef>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/memory_types.hpp"

namespace nbody::executor::runtime {

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
