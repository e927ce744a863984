#include "executor/runtime/allocations.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/source_names.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

/// Address space for memory that host code may not touch. It is mapped twice: at the program's
/// address, which is closed while host code runs, and at an alias for copies.
class Region {
 public:
  /// Returns a range of whole pages between closed pages, open if the region is open; null if no
  /// space is left. Ranges that were given back are reused last.
  char* take(std::size_t bytes, std::size_t redZone);
  /// Closes the range, and gives its memory back to the system.
  void giveBack(char* begin);

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

/// Returns less than \p most if the program's address space is limited. A few regions are mapped
/// twice, and must leave most addresses free.
std::size_t reserveWithinLimit(std::size_t most) {
  constexpr std::size_t kShare = 32;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::min(most, roundedUp(limit.rlim_cur / kShare, kPage));
}

void Region::reserve() {
  // Uses no file, so that limits on files and on system calls do not count this memory.
  const int kind = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  for (reserve_ = reserveWithinLimit(kMostReserve); reserve_ >= kLeastReserve; reserve_ /= 2) {
    void* alias = mmap(nullptr, reserve_, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (alias == MAP_FAILED) continue;
    void* begin = mremap(alias, 0, reserve_, MREMAP_MAYMOVE);  // 0: maps the same pages again
    if (begin != MAP_FAILED && mprotect(begin, reserve_, PROT_NONE) == 0) {
      alias_ = static_cast<char*>(alias);
      begin_ = static_cast<char*>(begin);
      return;
    }
    munmap(alias, reserve_);
  }
  refuse(
      "no address space is left for device memory; set NBODY_EXECUTOR_PROTECT=0, which needs none");
}

char* Region::takeOld(std::size_t bytes) {
  const auto position = old_.lower_bound(bytes);
  if (position == old_.end()) return nullptr;
  char* begin = position->second;
  old_.erase(position);
  return begin;
}

char* Region::take(std::size_t bytes, std::size_t redZone) {
  if (begin_ == nullptr) reserve();
  const std::size_t room = roundedUp(std::max<std::size_t>(bytes, 1), kPage);
  const std::size_t before = roundedUp(std::max(redZone, kPage), kPage);
  char* begin = nullptr;
  if (room <= reserve_ && used_ + before + room + before <= reserve_) {
    begin = begin_ + used_ + before;
    used_ += before + room + before;  // so that no address is near two arrays
  } else if ((begin = takeOld(room)) == nullptr) {
    return nullptr;
  }
  ranges_[begin] = room;
  if (isOpen_) mprotect(begin, room, PROT_READ | PROT_WRITE);
  return begin;
}

void Region::giveBack(char* begin) {
  const auto position = ranges_.find(begin);
  if (position == ranges_.end()) return;
  const std::size_t room = position->second;
  ranges_.erase(position);
  old_.emplace(room, begin);
  mprotect(begin, room, PROT_NONE);
  madvise(alias(begin), room, MADV_REMOVE);
}

void Region::setOpen(bool open) {
  if (isOpen_ == open) return;
  isOpen_ = open;  // also for ranges taken later
  if (used_ == 0) return;
  const int access = open ? PROT_READ | PROT_WRITE : PROT_NONE;
  constexpr std::size_t kFew = 64;
  // One by one, so that freed arrays and the pages between arrays stay closed to kernels too.
  if (ranges_.size() <= kFew && !options().goOnOutside)
    for (const auto& [begin, bytes] : ranges_) mprotect(begin, bytes, access);
  else mprotect(begin_, used_, access);
}

struct Memory {
  Region device, managed;
  bool isManagedShared = false;  ///< host code and kernels share it intentionally
};
Memory& memory() {
  static auto& theMemory = *new Memory;  // never destroyed: static objects free too
  return theMemory;
}

Region& regionOf(Kind kind) { return kind == Kind::device ? memory().device : memory().managed; }

char* allocateAligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;  // as cudaMalloc's on a GPU
  void* pointer = nullptr;
  const bool isDone = posix_memalign(&pointer, kAlignment, std::max<std::size_t>(bytes, 1)) == 0;
  return isDone ? static_cast<char*>(pointer) : nullptr;
}

bool isOfDevice(Kind kind) { return kind == Kind::device || kind == Kind::managed; }

/// Returns the bytes at either end of an array that no kernel may touch.
std::size_t redZone(std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  return checker::kOn ? roundedUp(std::clamp(bytes, kPage, kMost), kPage) : kPage;
}

/// Returns null if there is no memory.
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

/// Returns whether the memory is from the heap, which reuses it once it is free.
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
  if (isOfDevice(kind)) regionOf(kind).giveBack(begin);
  else if (kind == Kind::pinned) munmap(begin, roundedUp(std::max<std::size_t>(bytes, 1), kPage));
}

/// Returns all allocations by their start addresses, including freed ones.
std::map<const char*, Allocation>& table() {
  static auto& all = *new std::map<const char*, Allocation>;  // destructors of statics free too
  return all;
}

}  // namespace

Allocation* allocate(std::size_t bytes, Kind kind, std::size_t elementBytes, Caller caller) {
  char* begin = obtain(bytes, kind);
  if (begin == nullptr) return nullptr;
  Allocation& a =
      table().insert_or_assign(begin, Allocation{begin, bytes, kind, caller, ""}).first->second;
  a.name = nameOfArray(caller, bytes);
  if (kind == Kind::device) std::memset(aliasOf(begin), 0xff, bytes);
  const bool isChecked = kind != Kind::pinned && !runtimeSettings().protect;
  if (isChecked && kind == Kind::managed) checker::markWritten(begin, bytes);
  if (!isChecked)
    checker::adopt(begin, bytes, kind == Kind::pinned ? 0 : redZone(bytes), a.name,
                   kind != Kind::device);
  checker::describe(begin, a.name, elementBytes, caller.file, caller.line);
  return &a;
}

void addRegistered(void* begin, std::size_t bytes, Caller caller) {
  char* first = static_cast<char*>(begin);
  const std::string name = "registered memory of " + std::to_string(bytes) + " bytes";
  table().insert_or_assign(first, Allocation{first, bytes, Kind::registered, caller, name});
  checker::adopt(begin, bytes, 0, name, true);
}

void release(Allocation& a, Caller caller) {
  giveBack(a.begin, a.bytes, a.kind);
  a.isFreed = true;
  a.freedBy = caller;
  // Heap memory is forgotten, because host code may own it next.
  if (isHeaps(a.begin, a.kind) || a.kind == Kind::registered) table().erase(a.begin);
}

void releaseAll() {
  for (auto next = table().begin(); next != table().end();) {
    Allocation& a = next++->second;
    if (!a.isFreed && (a.kind == Kind::device || a.kind == Kind::managed)) release(a, {});
  }
}

Allocation* allocationOnce(const void* pointer) {
  const char* p = static_cast<const char*>(pointer);
  auto position = table().upper_bound(p);
  if (position == table().begin()) return nullptr;
  Allocation& a = (--position)->second;
  return p < a.begin + std::max<std::size_t>(a.bytes, 1) ? &a : nullptr;
}

Allocation* allocationOf(const void* pointer) {
  Allocation* a = allocationOnce(pointer);
  return a == nullptr || a->isFreed ? nullptr : a;
}

void forEachAllocation(const std::function<void(const Allocation&)>& visit) {
  for (const auto& [begin, a] : table()) visit(a);
}

std::string describe(const Allocation& a) {
  static constexpr const char* kKinds[] = {"device", "managed", "pinned host", "registered host"};
  const std::string name = isDescription(a.name) ? "" : " '" + a.name + "'";
  return std::string(kKinds[static_cast<int>(a.kind)]) + " memory" + name + " (" +
         std::to_string(a.bytes) + " bytes" + atKnown(", allocated at ", place(a.caller)) + ")";
}

std::string whenFreed(const Allocation& a) {
  return atKnown(", which was freed at ", place(a.freedBy), ", which was already freed");
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
