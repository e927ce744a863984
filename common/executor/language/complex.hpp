/// \file
/// CUDA's complex numbers for C: pairs of float and of double, with functions by name.
#pragma once

#include "executor/language/math.hpp"
#include "executor/language/vector_types.hpp"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

// f: "f" in the names for float, nothing for double.
#define NBODY_COMPLEX(T, Complex, f)                                                             \
  NBODY_ALWAYS_INLINE T cuCreal##f(Complex z) { return z.x; }                                    \
  NBODY_ALWAYS_INLINE T cuCimag##f(Complex z) { return z.y; }                                    \
  NBODY_ALWAYS_INLINE Complex make_##Complex(T real, T imaginary) { return {real, imaginary}; }  \
  NBODY_ALWAYS_INLINE Complex cuConj##f(Complex z) { return {z.x, -z.y}; }                       \
  NBODY_ALWAYS_INLINE Complex cuCadd##f(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; } \
  NBODY_ALWAYS_INLINE Complex cuCsub##f(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; } \
  NBODY_ALWAYS_INLINE Complex cuCmul##f(Complex a, Complex b) {                                  \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                       \
  }                                                                                              \
  /** Divides both by the larger part of b first, so that no square overflows. */                \
  NBODY_ALWAYS_INLINE Complex cuCdiv##f(Complex a, Complex b) {                                  \
    const T scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                       \
    const Complex c = {a.x * scale, a.y * scale}, d = {b.x * scale, b.y * scale};                \
    const T square = 1 / (d.x * d.x + d.y * d.y);                                                \
    return {(c.x * d.x + c.y * d.y) * square, (c.y * d.x - c.x * d.y) * square};                 \
  }                                                                                              \
  NBODY_ALWAYS_INLINE T cuCabs##f(Complex z) { return std::hypot(z.x, z.y); }                    \
  NBODY_ALWAYS_INLINE Complex cuCfma##f(Complex a, Complex b, Complex c) {                       \
    return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                           \
  }
NBODY_COMPLEX(float, cuFloatComplex, f)
NBODY_COMPLEX(double, cuDoubleComplex, )
#undef NBODY_COMPLEX

NBODY_ALWAYS_INLINE cuComplex make_cuComplex(float real, float imaginary) {
  return {real, imaginary};
}
NBODY_ALWAYS_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
NBODY_ALWAYS_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
