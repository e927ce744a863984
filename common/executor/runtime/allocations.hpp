/// \file
/// Memory that the program allocates: when host code may touch it, and allocations by address.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

constexpr std::size_t kPage = 4096;

constexpr std::size_t roundedUp(std::size_t number, std::size_t to) {
  return (number + to - 1) / to * to;
}

/// Calls \p visit for each whole word of some memory, which may be a pointer.
template <class Visit>
void forEachWord(const void* begin, std::size_t bytes, const Visit& visit) {
  const char* const at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i + sizeof(void*) <= bytes; i += sizeof(void*)) {
    const void* word = nullptr;
    std::memcpy(&word, at + i, sizeof word);
    visit(word);
  }
}

enum class Kind { device, managed, pinned, registered };

/// Returns the address at which the runtime may always access the memory at \p pointer.
char* aliasOf(const void* pointer);
bool isDeviceAddress(const void* pointer);

/// Open device memory for a kernel, or close it for host code. Managed memory stays open to host
/// code if \p managed. Do nothing if settings do not protect memory.
void openMemory();
void closeMemory(bool managed);
/// Opens managed memory to host code from now on, even while kernels run.
void shareManaged();

struct Operation;

struct Allocation {
  char* begin;
  std::size_t bytes;
  Kind kind;
  Caller caller;
  std::string name;
  bool isFreed = false;
  bool isFreedLater = false;  ///< when its stream reaches it
  Caller freedBy = {};
  std::shared_ptr<Operation> operation = {};  ///< the operation of cudaMallocAsync()
};

/// Returns null if there is no memory. Fills device memory with 0xff.
Allocation* allocate(std::size_t bytes, Kind kind, std::size_t elementBytes, Caller caller);
/// Adds memory that the program allocated elsewhere.
void addRegistered(void* begin, std::size_t bytes, Caller caller);
/// Keeps the allocation as a freed one, for later messages. Forgets a registered one.
void release(Allocation& allocation, Caller caller);
void releaseAll();

/// Returns the allocation that holds an address; null if there is none.
Allocation* allocationOf(const void* pointer);
/// Does allocationOf(), also for freed allocations.
Allocation* allocationOnce(const void* pointer);
void forEachAllocation(const std::function<void(const Allocation&)>& visit);

/// Returns "device memory 'd_x' (4096 bytes, allocated at main.cu:12)".
std::string describe(const Allocation& allocation);
/// Returns ", which was freed at main.cu:20".
std::string whenFreed(const Allocation& allocation);

}  // namespace nbody::executor::runtime
