#include "executor/runtime/stray_names.hpp"

#include <cstdint>

#include "executor/checker/locate.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/reports.hpp"

namespace nbody::executor::runtime {

std::string nameOfStray(const void* address) {
  constexpr std::uintptr_t kFirstPages = 65536;  // indices from a null pointer
  if (reinterpret_cast<std::uintptr_t>(address) < kFirstPages) return "a null pointer";
  if (const Allocation* a = allocationOnce(address); a != nullptr && a->isFreed)
    return "freed " + describe(*a) + whenFreed(*a);
  if (isDeviceAddress(address)) return "device memory outside all arrays";
  const HeapBlock block = findHeapBlock != nullptr ? findHeapBlock(address) : HeapBlock{};
  if (block.begin == nullptr) return checker::kUnknownOrigin;
  return "a host array of " + std::to_string(block.bytes) + " bytes" +
         atKnown(", allocated at ", place(Caller(block.caller)));
}

}  // namespace nbody::executor::runtime
