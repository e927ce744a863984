/// \file
/// Memory that the program allocates: when host code may touch it, and allocations by address.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

// Address space for memory that host code may not touch. It is mapped twice: at the program's
// address, which is closed while host code runs, and at an alias for copies.

constexpr std::size_t kPage = 4096;

constexpr std::size_t roundedUp(std::size_t number, std::size_t to) {
  return (number + to - 1) / to * to;
}

class Region {
 public:
  /// Returns a range of whole pages after a closed page or more, open if the region is open; null
  /// if no space is left. Ranges that were given back are reused last.
  char* take(std::size_t bytes, std::size_t redZone);
  /// Closes the range, and gives its memory back to the system.
  void giveBack(char* begin, std::size_t bytes);

  bool holds(const void* pointer) const {
    const char* p = static_cast<const char*>(pointer);
    return begin_ != nullptr && p >= begin_ && p < begin_ + reserve_;
  }
  /// Returns the address at which the host may always access the memory at \p pointer.
  char* alias(const void* pointer) const {
    return alias_ + (static_cast<const char*>(pointer) - begin_);
  }
  void setOpen(bool open);

 private:
  static constexpr std::size_t kMostReserve = std::size_t{1} << 40;  // addresses, not memory
  static constexpr std::size_t kLeastReserve = std::size_t{1} << 24;

  void reserve();
  char* takeOld(std::size_t bytes);

  char* begin_ = nullptr;
  char* alias_ = nullptr;
  std::size_t reserve_ = 0;
  std::size_t used_ = 0;
  bool isOpen_ = false;
  std::map<char*, std::size_t> ranges_;  ///< ranges in use, and their bytes
  std::multimap<std::size_t, char*> old_;  ///< ranges given back, by their bytes
};

enum class Kind { device, managed, pinned, registered };

/// Returns null if there is no memory.
char* obtain(std::size_t bytes, Kind kind);
void giveBack(char* begin, std::size_t bytes, Kind kind);
/// Returns whether the memory is from the heap, which reuses it once it is free.
bool isHeaps(const char* begin, Kind kind);

/// Returns the bytes at either end of an array that no kernel may touch.
std::size_t redZone(std::size_t bytes);

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
