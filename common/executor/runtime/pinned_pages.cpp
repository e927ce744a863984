#include "executor/runtime/pinned_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/regions.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

void closePinned(Operation& operation, const void* pointer, std::size_t bytes, bool isWritten) {
  const Allocation* a = allocationOf(pointer);
  if (!runtimeSettings().protect || a == nullptr || a->kind != Kind::pinned) return;
  const auto begin = roundedUp(reinterpret_cast<std::uintptr_t>(pointer), kPage);
  auto end = reinterpret_cast<std::uintptr_t>(pointer) + bytes;
  const bool isToTheEnd = end == reinterpret_cast<std::uintptr_t>(a->begin) + a->bytes;
  end = isToTheEnd ? roundedUp(end, kPage) : end / kPage * kPage;
  if (end <= begin) return;
  mprotect(reinterpret_cast<void*>(begin), end - begin, isWritten ? PROT_NONE : PROT_READ);
  operation.closed.push_back({reinterpret_cast<char*>(begin), end - begin});
}

}  // namespace nbody::executor::runtime
