/// \file
/// Blocks of the heap, in a program that is built for checking: those of host code, which limit
/// copies, and those that kernels get from malloc() and new, which the checker watches.
#pragma once

#include <cstddef>

namespace nbody::executor::runtime {

struct HeapBlock {
  const char* begin;  ///< null: none
  std::size_t bytes;
  const void* caller;  ///< code after the call that allocated it
};

/// Returns host code's block that holds an address. Set by heap_object.cpp, if it is linked.
extern HeapBlock (*findHeapBlock)(const void* pointer);

/// Returns whether CUDA allocated memory that the C library or delete would free, and reports it.
bool isWronglyFreed(void* pointer, const char* function, const void* caller);

}  // namespace nbody::executor::runtime
