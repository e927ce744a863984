/// \file
/// CUDA's vector types, make_ functions and dim3, with CUDA's alignment.
/// Source: CUDA C++ Programming Guide, "Built-in Vector Types", table of alignments.
#pragma once

#define NBODY_VECTORS_1_TO_3(type, name, alignment2)                         \
  struct name##1 {                                                           \
    type x;                                                                  \
  };                                                                         \
  struct alignas(alignment2) name##2 {                                       \
    type x, y;                                                               \
  };                                                                         \
  struct name##3 {                                                           \
    type x, y, z;                                                            \
  };                                                                         \
  inline constexpr name##1 make_##name##1(type x) { return {x}; }            \
  inline constexpr name##2 make_##name##2(type x, type y) { return {x, y}; } \
  inline constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }

#define NBODY_VECTOR_4(type, name, alignment) \
  struct alignas(alignment) name {            \
    type x, y, z, w;                          \
  };                                          \
  inline constexpr name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }

NBODY_VECTORS_1_TO_3(signed char, char, 2)
NBODY_VECTORS_1_TO_3(unsigned char, uchar, 2)
NBODY_VECTORS_1_TO_3(short, short, 4)
NBODY_VECTORS_1_TO_3(unsigned short, ushort, 4)
NBODY_VECTORS_1_TO_3(int, int, 8)
NBODY_VECTORS_1_TO_3(unsigned int, uint, 8)
NBODY_VECTORS_1_TO_3(long, long, 2 * sizeof(long))
NBODY_VECTORS_1_TO_3(unsigned long, ulong, 2 * sizeof(long))
NBODY_VECTORS_1_TO_3(long long, longlong, 16)
NBODY_VECTORS_1_TO_3(unsigned long long, ulonglong, 16)
NBODY_VECTORS_1_TO_3(float, float, 8)
NBODY_VECTORS_1_TO_3(double, double, 16)

NBODY_VECTOR_4(signed char, char4, 4)
NBODY_VECTOR_4(unsigned char, uchar4, 4)
NBODY_VECTOR_4(short, short4, 8)
NBODY_VECTOR_4(unsigned short, ushort4, 8)
NBODY_VECTOR_4(int, int4, 16)
NBODY_VECTOR_4(unsigned int, uint4, 16)
NBODY_VECTOR_4(float, float4, 16)
// Types of 32 bytes, aligned to 16. CUDA 13 has two more types that name their alignment.
#define NBODY_LARGE_VECTOR_4(type, name) \
  NBODY_VECTOR_4(type, name, 16)         \
  NBODY_VECTOR_4(type, name##_16a, 16)   \
  NBODY_VECTOR_4(type, name##_32a, 32)
NBODY_LARGE_VECTOR_4(long, long4)
NBODY_LARGE_VECTOR_4(unsigned long, ulong4)
NBODY_LARGE_VECTOR_4(long long, longlong4)
NBODY_LARGE_VECTOR_4(unsigned long long, ulonglong4)
NBODY_LARGE_VECTOR_4(double, double4)
#undef NBODY_LARGE_VECTOR_4
#undef NBODY_VECTOR_4
#undef NBODY_VECTORS_1_TO_3

/// Extents of a grid or a block.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
