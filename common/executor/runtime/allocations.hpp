/// \file
/// Allocations of the program, by address.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/device_memory.hpp"

namespace nbody::executor::runtime {

struct Operation;

struct Allocation {
  char* begin;
  std::size_t bytes;
  Kind kind;
  Caller caller;
  std::string name;
  bool isFreed = false;
  bool isFreedLater = false;  ///< when its stream comes to it
  Caller freedBy = {};
  std::shared_ptr<Operation> operation = {};  ///< that of cudaMallocAsync()
};

/// Null where there is no memory. Memory of the device is filled with 0xff.
Allocation* allocate(std::size_t bytes, Kind kind, std::size_t elementBytes, Caller caller);
/// Memory that the program has from elsewhere.
void addRegistered(void* begin, std::size_t bytes, Caller caller);
/// Keeps the allocation as a freed one, for later messages; a registered one is forgotten.
void release(Allocation& allocation, Caller caller);
void releaseAll();

/// The allocation that holds an address; null where none does.
Allocation* allocationOf(const void* pointer);
/// Finds the allocation like allocationOf(), also among those that have been freed.
Allocation* allocationOnce(const void* pointer);
void forEachAllocation(const std::function<void(const Allocation&)>& visit);

/// "device memory 'd_x' (4096 bytes, allocated at main.cu:12)"
std::string describe(const Allocation& allocation);
/// ", which was freed at main.cu:20"
std::string whenFreed(const Allocation& allocation);

}  // namespace nbody::executor::runtime
