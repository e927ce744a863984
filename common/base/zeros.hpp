/// \file
/// Large arrays of zeros.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace nbody {

/// Asks the system for \p bytes of memory from \p begin on, in large pages and on all cores. Without this, it gives
/// memory when a thread first uses it, in pages of 4 KiB. zeros() of 512 MiB then takes 0.26 s instead of 0.12 s on two
/// cores.
inline void provideMemory([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t kPage = 2 << 20;  // bytes
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + kPage - 1) / kPage, end = (address + bytes) / kPage;
  if (first >= end) return;
  // If the system refuses, it gives the memory at the first use.
  madvise(reinterpret_cast<void*>(first * kPage), (end - first) * kPage, MADV_HUGEPAGE);
  parallelForEach(static_cast<int>(end - first), 8, [&](int k) {
    madvise(reinterpret_cast<void*>((first + k) * kPage), kPage, MADV_POPULATE_WRITE);
  });
#endif
}

/// Returns \p count elements of T, all 0.
template <class T>
std::vector<T> zeros(std::size_t count) {
  std::vector<T> made;
  made.reserve(count);
  provideMemory(made.data(), count * sizeof(T));
  made.resize(count);
  return made;
}

}  // namespace nbody
