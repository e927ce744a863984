/// \file
/// Memory for what the program allocates, when host code may touch it, and the allocations by address.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

// Address space for memory that host code may not touch: mapped twice, where the program sees it,
// closed while host code runs, and at an alias through which copies go.

constexpr std::size_t kPage = 4096;

constexpr std::size_t roundedUp(std::size_t number, std::size_t to) {
  return (number + to - 1) / to * to;
}

class Region {
 public:
  /// A range of whole pages with a closed page or more before it, open where the region is. Null
  /// where there is no room left. Ranges that have been given back are used again at last.
  char* take(std::size_t bytes, std::size_t redZone);
  /// The range is closed, and its memory the system's again.
  void giveBack(char* begin, std::size_t bytes);

  bool holds(const void* pointer) const {
    const char* p = static_cast<const char*>(pointer);
    return begin_ != nullptr && p >= begin_ && p < begin_ + reserve_;
  }
  /// Address at which the host may always read and write what is at \p pointer.
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
  std::map<char*, std::size_t> ranges_;  ///< in use, and their bytes
  std::multimap<std::size_t, char*> old_;  ///< given back, by their bytes
};

enum class Kind { device, managed, pinned, registered };

/// Null where there is none.
char* obtain(std::size_t bytes, Kind kind);
void giveBack(char* begin, std::size_t bytes, Kind kind);
/// Whether the heap has given it, whose memory is any owner's once it is free.
bool isHeaps(const char* begin, Kind kind);

/// Bytes at either end of an array that no kernel may touch.
std::size_t redZone(std::size_t bytes);

/// Address at which the runtime may always read and write what is at \p pointer.
char* aliasOf(const void* pointer);
bool isDeviceAddress(const void* pointer);

/// Opens device memory for a kernel, or closes it for host code; managed memory is open to host
/// code where \p managed says so. Nothing where settings do not protect it.
void openMemory();
void closeMemory(bool managed);
/// Managed memory is open to host code from now on, whatever kernels are under way.
void shareManaged();

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
