/// \file
/// CUDA's vector types, make_ functions and dim3, with CUDA's alignment.
/// Source: CUDA C++ Programming Guide, "Built-in Vector Types", table of alignments.
#pragma once

#define NBODY_VECTORS_1_TO_3(type, name)                                     \
  struct name##1 {                                                           \
    type x;                                                                  \
  };                                                                         \
  struct alignas(2 * sizeof(type)) name##2 {                                 \
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

#define NBODY_VECTORS(type, name)  \
  NBODY_VECTORS_1_TO_3(type, name) \
  NBODY_VECTOR_4(type, name##4, 4 * sizeof(type))
NBODY_VECTORS(signed char, char)
NBODY_VECTORS(unsigned char, uchar)
NBODY_VECTORS(short, short)
NBODY_VECTORS(unsigned short, ushort)
NBODY_VECTORS(int, int)
NBODY_VECTORS(unsigned int, uint)
NBODY_VECTORS(float, float)
#undef NBODY_VECTORS

// Four of these have 32 bytes, and are aligned to 16. CUDA 13 has two more types that name their
// alignment.
#define NBODY_LARGE_VECTORS(type, name) \
  NBODY_VECTORS_1_TO_3(type, name)      \
  NBODY_VECTOR_4(type, name##4, 16)     \
  NBODY_VECTOR_4(type, name##4_16a, 16) \
  NBODY_VECTOR_4(type, name##4_32a, 32)
NBODY_LARGE_VECTORS(long, long)
NBODY_LARGE_VECTORS(unsigned long, ulong)
NBODY_LARGE_VECTORS(long long, longlong)
NBODY_LARGE_VECTORS(unsigned long long, ulonglong)
NBODY_LARGE_VECTORS(double, double)
#undef NBODY_LARGE_VECTORS
#undef NBODY_VECTOR_4
#undef NBODY_VECTORS_1_TO_3

/// Extents of a grid or a block.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
