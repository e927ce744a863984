#include "executor/runtime/allocations.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "executor/checker/checker.hpp"
#include "executor/checker/origin.hpp"
#include "executor/runtime/array_names.hpp"
#include "executor/runtime/regions.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"

#ifdef NBODY_CHECK_ASAN
/// A program that ends after a report has leaks, of which nobody wants to read.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace nbody::executor::runtime {

namespace {

struct Table {
  std::map<const char*, Allocation> all;  ///< by begin; the freed ones too
  Region device, managed;
  std::size_t deviceBytes = 0;
  bool isManagedShared = false;  ///< host code and kernels meet there on purpose
};
Table& table() {
  static auto& theTable = *new Table;  // programs free in destructors of static objects
  return theTable;
}

Region& regionOf(Kind kind) { return kind == Kind::device ? table().device : table().managed; }

char* allocateAligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;  // that of cudaMalloc on a GPU
  // To the byte: behind it begins what ASan forbids.
  void* pointer = nullptr;
  const bool isDone = posix_memalign(&pointer, kAlignment, std::max<std::size_t>(bytes, 1)) == 0;
  return isDone ? static_cast<char*>(pointer) : nullptr;
}

/// Bytes at either end of an array that no kernel may touch.
std::size_t redZone(std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  return checker::kOn ? roundedUp(std::clamp(bytes, kPage, kMost), kPage) : kPage;
}

char* obtain(std::size_t bytes, Kind kind) {
  if (kind == Kind::pinned) {
    void* memory = mmap(nullptr,
                        roundedUp(std::max<std::size_t>(bytes, 1), kPage),
                        PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS,
                        -1,
                        0);
    return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
  }
  if (runtimeSettings().protect) return regionOf(kind).take(bytes, redZone(bytes));
  if (checker::kOn) return static_cast<char*>(checker::allocate(bytes));
  return allocateAligned(bytes);
}

void giveBack(const Allocation& a) {
  const bool isOwn = a.kind == Kind::device || a.kind == Kind::managed;
  if (isOwn && regionOf(a.kind).holds(a.begin)) {
    checker::disown(a.begin);
    regionOf(a.kind).giveBack(a.begin, a.bytes);
  } else if (isOwn) {
    if (checker::kOn) checker::release(a.begin);
    else std::free(a.begin);
  } else {
    checker::disown(a.begin);
    if (a.kind == Kind::pinned)
      munmap(a.begin, roundedUp(std::max<std::size_t>(a.bytes, 1), kPage));
  }
}

}  // namespace

Allocation* allocate(std::size_t bytes, Kind kind, std::size_t elementBytes, Caller caller) {
  char* begin = obtain(bytes, kind);
  if (begin == nullptr) return nullptr;
  Allocation& a =
      table()
          .all.insert_or_assign(begin, Allocation{begin, bytes, kind, caller, "", false, {}})
          .first->second;
  a.name = nameOfArray(caller, bytes);
  if (kind == Kind::device) {
    std::memset(aliasOf(begin), 0xff, bytes);
    table().deviceBytes += bytes;
  }
  const bool isChecked = kind != Kind::pinned && !runtimeSettings().protect;
  if (isChecked && kind == Kind::managed) checker::markWritten(begin, bytes);
  if (!isChecked)
    checker::adopt(
        begin, bytes, kind == Kind::pinned ? 0 : redZone(bytes), a.name, kind != Kind::device);
  checker::describe(begin, a.name, elementBytes);
  if (kind != Kind::device) checker::shareWithHost(begin);
  return &a;
}

void addRegistered(void* begin, std::size_t bytes, Caller caller) {
  char* first = static_cast<char*>(begin);
  const std::string name = "registered memory of " + std::to_string(bytes) + " bytes";
  table().all.insert_or_assign(first,
                               Allocation{first, bytes, Kind::registered, caller, name, false, {}});
  checker::adopt(begin, bytes, 0, name, true);
  checker::shareWithHost(begin);
}

void release(Allocation& a, Caller caller) {
  giveBack(a);
  if (a.kind == Kind::device) table().deviceBytes -= a.bytes;
  a.isFreed = true;
  a.freedBy = caller;
  // Of the heap's memory the next owner may be host code.
  const bool isOwn = a.kind == Kind::device || a.kind == Kind::managed;
  const bool isHeaps = isOwn && !regionOf(a.kind).holds(a.begin);
  if (isHeaps || a.kind == Kind::registered) table().all.erase(a.begin);
}

void releaseAll() {
  for (auto next = table().all.begin(); next != table().all.end();) {
    Allocation& a = next++->second;
    if (!a.isFreed && (a.kind == Kind::device || a.kind == Kind::managed)) release(a, {});
  }
}

Allocation* allocationOnce(const void* pointer) {
  const char* p = static_cast<const char*>(pointer);
  auto position = table().all.upper_bound(p);
  if (position == table().all.begin()) return nullptr;
  Allocation& a = (--position)->second;
  return p < a.begin + std::max<std::size_t>(a.bytes, 1) ? &a : nullptr;
}

Allocation* allocationOf(const void* pointer) {
  Allocation* a = allocationOnce(pointer);
  return a == nullptr || a->isFreed ? nullptr : a;
}

void forEachAllocation(const std::function<void(const Allocation&)>& visit) {
  for (const auto& [begin, a] : table().all) visit(a);
}

char* aliasOf(const void* pointer) {
  for (const Region* region : {&table().device, &table().managed})
    if (region->holds(pointer)) return region->alias(pointer);
  return static_cast<char*>(const_cast<void*>(pointer));
}

bool isDeviceAddress(const void* pointer) { return table().device.holds(pointer); }

void openMemory() {
  if (!runtimeSettings().protect) return;
  table().device.setOpen(true);
  table().managed.setOpen(true);
  setSymbolsOpen(true);
}

void closeMemory(bool managed) {
  if (!runtimeSettings().protect) return;
  table().device.setOpen(false);
  table().managed.setOpen(managed || table().isManagedShared);
  setSymbolsOpen(false);
}

void shareManaged() {
  table().isManagedShared = true;
  table().managed.setOpen(true);
}

std::size_t deviceBytes() { return table().deviceBytes; }

std::string describe(const Allocation& a) {
  static constexpr const char* kKinds[] = {"device", "managed", "pinned host", "registered host"};
  return std::string(kKinds[static_cast<int>(a.kind)]) + " memory '" + a.name + "' (" +
         std::to_string(a.bytes) + " bytes, allocated at " + place(a.caller) + ")";
}

std::string whenFreed(const Allocation& a) { return ", freed at " + place(a.freedBy); }

}  // namespace nbody::executor::runtime
