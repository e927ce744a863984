/// \file
/// CUDA's words for g++ and clang++: qualifiers, vector types, device mathematics.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)

// One instance per OS thread, and an OS thread runs one block at a time: so one per running block.
// At block scope thread_local implies static storage. ASan watches the ends of static variables
// only; its build has one OS thread.
#ifdef NBODY_CHECK_ASAN
#define __shared__ static
#else
#define __shared__ thread_local
#endif

#define NBODY_VECTOR_TYPES(type, name, alignment2, alignment4)                          \
  struct alignas(alignment2) name##2 {                                                  \
    type x, y;                                                                          \
  };                                                                                    \
  struct name##3 {                                                                      \
    type x, y, z;                                                                       \
  };                                                                                    \
  struct alignas(alignment4) name##4 {                                                  \
    type x, y, z, w;                                                                    \
  };                                                                                    \
  inline constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  inline constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  inline constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

NBODY_VECTOR_TYPES(int, int, 8, 16)
NBODY_VECTOR_TYPES(unsigned int, uint, 8, 16)
NBODY_VECTOR_TYPES(float, float, 8, 16)
NBODY_VECTOR_TYPES(double, double, 16, 16)
#undef NBODY_VECTOR_TYPES

/// Extents of a grid or a block.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }

// CUDA has these in the global namespace.
inline int min(int a, int b) { return std::min(a, b); }
inline int max(int a, int b) { return std::max(a, b); }
inline unsigned min(unsigned a, unsigned b) { return std::min(a, b); }
inline unsigned max(unsigned a, unsigned b) { return std::max(a, b); }
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }

template <class T>
__forceinline__ T __ldg(const T* address) {
  return *address;
}
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
/// Position of the lowest set bit, counted from 1; 0 where no bit is set.
inline int __ffs(int x) { return x == 0 ? 0 : 1 + std::countr_zero(static_cast<unsigned>(x)); }
inline int __ffsll(long long x) {
  return x == 0 ? 0 : 1 + std::countr_zero(static_cast<unsigned long long>(x));
}
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
