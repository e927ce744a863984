#include "executor/runtime/early_access.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

struct EarlyRead {
  const Operation* before;
  const char* address;
  std::vector<char> bytes;  ///< what the host has seen there
  std::string text;
};
std::vector<EarlyRead>& earlyReads() {
  static auto& theReads = *new std::vector<EarlyRead>;
  return theReads;
}

/// Calls \p visit for the allocations that words among these bytes point to.
template <class Visit>
void forEachPointer(const void* begin, std::size_t bytes, const Visit& visit) {
  const char* at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i + sizeof(void*) <= bytes; i += sizeof(void*)) {
    void* word = nullptr;
    std::memcpy(&word, at + i, sizeof word);
    if (Allocation* a = allocationOf(word)) visit(*a);
  }
}

/// Whether an operation may reach an allocation: from what it is given, and from pointers in what
/// that leads to, as far as the first bytes of each array tell.
bool mayReach(const Operation& operation, const Allocation& goal) {
  constexpr std::size_t kMostBytes = 65536;
  std::set<const Allocation*> seen;
  std::vector<const Allocation*> left;
  const auto add = [&](const Allocation& a) {
    if (seen.insert(&a).second) left.push_back(&a);
  };
  forEachPointer(operation.arguments.get(), operation.argumentBytes, add);
  forEachPointer(operation.touched.data(), operation.touched.size() * sizeof(void*), add);
  if (operation.arguments) forEachSymbolWord(add);
  while (!left.empty() && seen.count(&goal) == 0) {
    const Allocation& a = *left.back();
    left.pop_back();
    forEachPointer(aliasOf(a.begin), std::min(a.bytes, kMostBytes), add);
  }
  return seen.count(&goal) != 0;
}

bool closes(const Operation& operation, const char* address) {
  return std::any_of(operation.closed.begin(), operation.closed.end(), [&](const auto& pages) {
    return address >= pages.begin && address < pages.begin + pages.bytes;
  });
}

void open(const Allocation& a) {
  mprotect(a.begin, roundedUp(a.bytes, kPage), PROT_READ | PROT_WRITE);
}

void rememberRead(const Operation& operation, const Allocation& a, const char* address,
                  const std::string& where) {
  constexpr std::ptrdiff_t kBytes = 16;
  const char* end = std::min(address + kBytes, static_cast<const char*>(a.begin + a.bytes));
  earlyReads().push_back({&operation,
                          address,
                          {address, end},
                          "executor: missing synchronisation: host code reads " + describe(a) +
                              " at " + where + ", but the " + operation.what + " of " +
                              place(operation.caller) +
                              ", which writes this memory, has not run yet.\n  Wait with "
                              "cudaDeviceSynchronize() or cudaStreamSynchronize() first."});
}

}  // namespace

void closeMapped(Operation& kernel) {
  if (!runtimeSettings().protect) return;
  forEachPointer(kernel.arguments.get(), kernel.argumentBytes, [&](const Allocation& a) {
    if (a.kind != Kind::pinned) return;
    const std::size_t bytes = roundedUp(a.bytes, kPage);
    mprotect(a.begin, bytes, PROT_NONE);
    kernel.closed.push_back({a.begin, bytes});
  });
}

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

std::string whatForbids(const Allocation& a, const char* address, bool writes,
                        const std::function<std::string()>& where) {
  std::string list;
  const auto forbid = [&](const Operation& operation) {
    list += (list.empty() ? "the " : ", the ") + operation.what + " of " + place(operation.caller);
  };
  std::vector<OperationPointer> mapped;
  for (const OperationPointer& operation : pendingOperations()) {
    if (a.kind == Kind::managed) {
      if (mayReach(*operation, a)) forbid(*operation);
    } else if (closes(*operation, address)) {
      // A kernel's use of pinned memory is not known before it has run.
      if (operation->arguments) mapped.push_back(operation);
      else forbid(*operation);
    }
  }
  if (!list.empty()) return list;
  open(a);
  for (const OperationPointer& operation : mapped) {
    if (!writes) rememberRead(*operation, a, address, where());
    operation->closed.clear();
  }
  return "";
}

void compareEarlyReads(const Operation& operation, bool nobodyWaits) {
  auto& reads = earlyReads();
  for (const EarlyRead& read : reads)
    if (read.before == &operation && !nobodyWaits &&
        std::memcmp(read.address, read.bytes.data(), read.bytes.size()) != 0)
      report(read.text);
  reads.erase(std::remove_if(reads.begin(), reads.end(),
                             [&](const EarlyRead& read) { return read.before == &operation; }),
              reads.end());
}

}  // namespace nbody::executor::runtime
