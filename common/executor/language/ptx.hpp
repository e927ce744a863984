/// \file
/// Functions that the translation of inline PTX calls, besides CUDA's own. Registers have bits but no
/// type, so that each instruction reads them as its own type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "executor/language/async_copies.hpp"
#include "executor/language/atomics.hpp"
#include "executor/language/conversions.hpp"
#include "executor/language/small_float.hpp"
#include "executor/language/vector_types.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Waits at barrier \p id of the block until \p threads threads have arrived there; 0: all of it. A
/// thread that only arrives continues.
void waitAtNamed(Site site, unsigned id, unsigned threads, bool isWaiting);

namespace ptx {

/// Returns the bits of \p x as a T: as many as it has, or extended like \p x.
template <class T, class From>
NBODY_ALWAYS_INLINE T as(From x) {
  if constexpr (std::is_pointer_v<From>) {
    return static_cast<T>(reinterpret_cast<std::uintptr_t>(x));
  } else if constexpr (std::is_floating_point_v<T> != std::is_floating_point_v<From>) {
    using Bits = std::conditional_t<(std::is_floating_point_v<T> ? sizeof(T) : sizeof(From)) == 8,
                                    std::uint64_t, std::uint32_t>;
    if constexpr (std::is_floating_point_v<T>) return bitCast<T>(static_cast<Bits>(x));
    else return static_cast<T>(bitCast<Bits>(x));
  } else {
    return static_cast<T>(x);
  }
}

template <class To, class T>
NBODY_ALWAYS_INLINE void put(To& to, T value) {
  to = as<To>(value);
}

/// Returns a pointer of a register: of a shared address, or of any other.
template <class T, bool isShared, class Address>
NBODY_ALWAYS_INLINE T* pointer(Address address, std::int64_t offset = 0) {
  if constexpr (std::is_pointer_v<Address>) {
    return reinterpret_cast<T*>(reinterpret_cast<std::int64_t>(address) + offset);
  } else {
    const auto begin = static_cast<std::make_unsigned_t<Address>>(address + offset);
    if constexpr (isShared) return static_cast<T*>(sharedPointer(begin));
    else return reinterpret_cast<T*>(static_cast<std::uintptr_t>(begin));
  }
}

/// Loads or stores a value that other threads change at the same time.
template <class T>
NBODY_ALWAYS_INLINE T loadRelaxed(const T* address) {
  T value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  countAtomic();
  return value;
}
template <class T>
NBODY_ALWAYS_INLINE void storeRelaxed(T* address, T value) {
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

// Shifts by the width or more leave nothing, or the sign.
template <class T>
NBODY_ALWAYS_INLINE T shiftLeft(T x, unsigned n) {
  return n < 8 * sizeof(T) ? static_cast<T>(x << n) : T{0};
}
template <class T>
NBODY_ALWAYS_INLINE T shiftRight(T x, unsigned n) {
  constexpr unsigned kMost = 8 * sizeof(T) - 1;
  if (n <= kMost) return static_cast<T>(x >> n);
  return x < T{0} ? static_cast<T>(-1) : T{0};
}
/// Returns \p count bits of \p x from \p first on, extended with their top bit if T has a sign.
template <class T>
NBODY_ALWAYS_INLINE T bitField(T x, unsigned first, unsigned count) {
  constexpr unsigned kWidth = 8 * sizeof(T);
  first &= 255, count &= 255;
  if (count == 0) return T{0};
  if (first + count >= kWidth) return shiftRight(x, first);
  return shiftRight(shiftLeft(x, kWidth - first - count), kWidth - count);
}
/// Returns \p into with the low \p count bits of \p x at \p first.
template <class T>
NBODY_ALWAYS_INLINE T insertBits(T x, T into, unsigned first, unsigned count) {
  first &= 255, count &= 255;
  const T mask = shiftLeft(static_cast<T>(shiftLeft(T{1}, count) - 1), first);
  return (into & ~mask) | (shiftLeft(x, first) & mask);
}
/// Computes any function of three bits: bit 4 a + 2 b + c of \p table is its value.
NBODY_ALWAYS_INLINE unsigned logic3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (unsigned k = 0; k < 8; ++k)
    if ((table >> k & 1) != 0)
      result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
  return result;
}
/// Applies \p f, a function of doubles, to numbers of 16 bits, as many as Bits has.
template <class Format, class Bits, class F, class... More>
NBODY_ALWAYS_INLINE Bits eachSmall(const F& f, Bits first, More... more) {
  Bits result = 0;
  for (unsigned shift = 0; shift < 8 * sizeof(Bits); shift += 16) {
    const auto at = [&](Bits x) {
      return double{floatOfSmall(static_cast<std::uint16_t>(x >> shift), Format{})};
    };
    result |= static_cast<Bits>(Bits{roundToSmall<Format>(f(at(first), at(more)...))} << shift);
  }
  return result;
}

}  // namespace ptx
}  // namespace nbody::executor
