/// \file
/// Tells ASan what it must know about the executor. Empty in builds without NBODY_CHECK_ASAN.
#pragma once

#include <cstddef>

#ifdef NBODY_CHECK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace nbody::executor::asan {

#ifdef NBODY_CHECK_ASAN

inline constexpr bool kOn = true;

/// Precedes a switch to another stack. The result goes to afterSwitch() on the way back.
inline void* beforeSwitch(const void* stackLow, std::size_t stackBytes) {
  void* own = nullptr;
  __sanitizer_start_switch_fiber(&own, stackLow, stackBytes);
  return own;
}
inline void afterSwitch(void* own) { __sanitizer_finish_switch_fiber(own, nullptr, nullptr); }

/// Forbids or allows the kernel to touch bytes of a larger allocation, exact to 8 bytes.
inline void forbid(const void* begin, std::size_t bytes) {
  __asan_poison_memory_region(begin, bytes);
}
inline void allow(const void* begin, std::size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
/// Returns the number of bytes from \p begin to the first forbidden one, at most \p bytes.
inline std::size_t allowedBytes(const char* begin, std::size_t bytes) {
  const auto* end =
      static_cast<const char*>(__asan_region_is_poisoned(const_cast<char*>(begin), bytes));
  return end == nullptr ? bytes : static_cast<std::size_t>(end - begin);
}

#else

inline constexpr bool kOn = false;
inline void* beforeSwitch(const void*, std::size_t) { return nullptr; }
inline void afterSwitch(void*) {}
inline void forbid(const void*, std::size_t) {}
inline void allow(const void*, std::size_t) {}
inline std::size_t allowedBytes(const char*, std::size_t bytes) { return bytes; }

#endif

}  // namespace nbody::executor::asan
