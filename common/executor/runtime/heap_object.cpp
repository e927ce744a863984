// Linked with a program that is built for checking, with --wrap=malloc and similar options: keeps
// the blocks of the heap. Not in the library, because programs that wrap nothing must not get it.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

#include "executor/checker/checker.hpp"
#include "executor/checker/running.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/threads.hpp"

extern "C" {
void nbodyTextFirst();  // in first_object.cpp
void nbodyTextLast() {}  // this object comes after the program's

void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* pointer, std::size_t bytes);
void __real_free(void* pointer);
}

namespace nbody::executor::runtime {

namespace {

/// Allocator of the table of blocks, which must not contain itself.
template <class T>
struct RealAllocator {
  using value_type = T;
  RealAllocator() = default;
  template <class U>
  RealAllocator(const RealAllocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(__real_malloc(count * sizeof(T))); }
  void deallocate(T* pointer, std::size_t) { __real_free(pointer); }
  bool operator==(const RealAllocator&) const { return true; }
};

struct Block {
  std::size_t bytes;
  const void* caller;
  bool isKernels;
};
struct Table {
  std::mutex mutex;
  std::map<const char*, Block, std::less<>, RealAllocator<std::pair<const char* const, Block>>>
      blocks;
};
Table& table() {
  static auto& theTable = *new (__real_malloc(sizeof(Table))) Table;
  return theTable;
}

/// Returns whether a kernel of the program calls, and not the executor for it.
bool isKernels(const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  return currentThread.inKernel && checker::isWatched() &&
         address >= reinterpret_cast<std::uintptr_t>(&nbodyTextFirst) &&
         address < reinterpret_cast<std::uintptr_t>(&nbodyTextLast);
}

void* remembered(void* pointer, std::size_t bytes, const void* caller) {
  if (pointer == nullptr) return nullptr;
  const bool isOfKernel = isKernels(caller);
  const checker::Pause pause;
  {
    const std::lock_guard lock(table().mutex);
    table().blocks[static_cast<const char*>(pointer)] = {bytes, caller, isOfKernel};
  }
  constexpr std::size_t kRedZone = 256;  // where an index that is a little too large leads
  if (isOfKernel)
    checker::adopt(pointer, bytes, kRedZone, "memory of a kernel's malloc() or new", false);
  return pointer;
}

/// Returns whether the block was known.
bool forget(void* pointer) {
  if (pointer == nullptr) return true;
  const checker::Pause pause;
  std::unique_lock lock(table().mutex);
  const auto position = table().blocks.find(static_cast<const char*>(pointer));
  if (position == table().blocks.end()) return false;
  const bool isOfKernel = position->second.isKernels;
  table().blocks.erase(position);
  lock.unlock();
  if (isOfKernel) checker::disown(pointer);
  return true;
}

void freed(void* pointer, const char* function, const void* caller) {
  if (!forget(pointer) && isWronglyFreed(pointer, function, caller)) return;
  __real_free(pointer);
}

HeapBlock blockAt(const void* pointer) {
  const char* p = static_cast<const char*>(pointer);
  const std::lock_guard lock(table().mutex);
  auto position = table().blocks.upper_bound(p);
  if (position == table().blocks.begin()) return {};
  --position;
  const bool isWithin = p < position->first + position->second.bytes;
  return isWithin ? HeapBlock{position->first, position->second.bytes, position->second.caller}
                  : HeapBlock{};
}

const bool isSet = (findHeapBlock = blockAt, true);

void* allocated(std::size_t bytes, const void* caller) {
  void* pointer = remembered(__real_malloc(bytes), bytes, caller);
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

}  // namespace

}  // namespace nbody::executor::runtime

using namespace nbody::executor::runtime;

extern "C" {

void* __wrap_malloc(std::size_t bytes) {
  return remembered(__real_malloc(bytes), bytes, __builtin_return_address(0));
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return remembered(__real_calloc(count, bytes), count * bytes, __builtin_return_address(0));
}
void* __wrap_realloc(void* pointer, std::size_t bytes) {
  forget(pointer);
  return remembered(__real_realloc(pointer, bytes), bytes, __builtin_return_address(0));
}
void __wrap_free(void* pointer) { freed(pointer, "free()", __builtin_return_address(0)); }

}  // extern "C"

void* operator new(std::size_t bytes) { return allocated(bytes, __builtin_return_address(0)); }
void* operator new[](std::size_t bytes) { return allocated(bytes, __builtin_return_address(0)); }
void operator delete(void* pointer) noexcept {
  freed(pointer, "delete", __builtin_return_address(0));
}
void operator delete[](void* pointer) noexcept {
  freed(pointer, "delete[]", __builtin_return_address(0));
}
void operator delete(void* pointer, std::size_t) noexcept {
  freed(pointer, "delete", __builtin_return_address(0));
}
void operator delete[](void* pointer, std::size_t) noexcept {
  freed(pointer, "delete[]", __builtin_return_address(0));
}
