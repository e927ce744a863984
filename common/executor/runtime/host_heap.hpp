/// \file
/// Blocks of the heap, in a program that is built for checking: those of host code, to know how
/// long a copy may be, and those that kernels get by malloc() and new, which the checker watches.
#pragma once

#include <cstddef>

namespace nbody::executor::runtime {

struct HeapBlock {
  const char* begin;  ///< null: none
  std::size_t bytes;
  const void* caller;  ///< code behind the call that allocated it
};

/// The block of host code that holds an address; of heap_object.cpp, null where that is not linked.
extern HeapBlock (*findHeapBlock)(const void* pointer);

/// Whether CUDA has given what the C library or delete is to free: reported, and not to be freed.
bool isWronglyFreed(void* pointer, const char* function, const void* caller);

}  // namespace nbody::executor::runtime
