#include "executor/runtime/device_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#include "executor/checker/checker.hpp"
#include "executor/runtime/regions.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

struct Memory {
  Region device, managed;
  bool isManagedShared = false;  ///< host code and kernels meet there on purpose
};
Memory& memory() {
  static auto& theMemory = *new Memory;  // programs free in destructors of static objects
  return theMemory;
}

Region& regionOf(Kind kind) { return kind == Kind::device ? memory().device : memory().managed; }

char* allocateAligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;  // that of cudaMalloc on a GPU
  // To the byte: behind it begins what ASan forbids.
  void* pointer = nullptr;
  const bool isDone = posix_memalign(&pointer, kAlignment, std::max<std::size_t>(bytes, 1)) == 0;
  return isDone ? static_cast<char*>(pointer) : nullptr;
}

}  // namespace

std::size_t redZone(std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  return checker::kOn ? roundedUp(std::clamp(bytes, kPage, kMost), kPage) : kPage;
}

char* obtain(std::size_t bytes, Kind kind) {
  if (kind == Kind::pinned) {
    void* pages = mmap(nullptr, roundedUp(std::max<std::size_t>(bytes, 1), kPage),
                       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<char*>(pages);
  }
  if (runtimeSettings().protect) return regionOf(kind).take(bytes, redZone(bytes));
  if (checker::kOn) return static_cast<char*>(checker::allocate(bytes));
  return allocateAligned(bytes);
}

static bool isOfDevice(Kind kind) { return kind == Kind::device || kind == Kind::managed; }

bool isHeaps(const char* begin, Kind kind) {
  return isOfDevice(kind) && !regionOf(kind).holds(begin);
}

void giveBack(char* begin, std::size_t bytes, Kind kind) {
  if (isHeaps(begin, kind)) {
    if (checker::kOn) checker::release(begin);
    else std::free(begin);
    return;
  }
  checker::disown(begin);
  if (isOfDevice(kind)) regionOf(kind).giveBack(begin, bytes);
  else if (kind == Kind::pinned) munmap(begin, roundedUp(std::max<std::size_t>(bytes, 1), kPage));
}

char* aliasOf(const void* pointer) {
  for (const Region* region : {&memory().device, &memory().managed})
    if (region->holds(pointer)) return region->alias(pointer);
  return static_cast<char*>(const_cast<void*>(pointer));
}

bool isDeviceAddress(const void* pointer) { return memory().device.holds(pointer); }

void openMemory() {
  if (!runtimeSettings().protect) return;
  memory().device.setOpen(true);
  memory().managed.setOpen(true);
  setSymbolsOpen(true);
}

void closeMemory(bool managed) {
  if (!runtimeSettings().protect) return;
  memory().device.setOpen(false);
  memory().managed.setOpen(managed || memory().isManagedShared);
  setSymbolsOpen(false);
}

void shareManaged() {
  memory().isManagedShared = true;
  memory().managed.setOpen(true);
}

}  // namespace nbody::executor::runtime
