/// \file
/// CUDA's complex numbers: pairs of float or double.
#pragma once

#include "executor/language/math.hpp"
#include "executor/language/vector_types.hpp"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

#define NBODY_COMPLEX(Complex, T, f)                                                \
  inline Complex make_##Complex(T x, T y) { return {x, y}; }                        \
  inline T cuCreal##f(Complex a) { return a.x; }                                    \
  inline T cuCimag##f(Complex a) { return a.y; }                                    \
  inline Complex cuConj##f(Complex a) { return {a.x, -a.y}; }                       \
  inline Complex cuCadd##f(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; } \
  inline Complex cuCsub##f(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; } \
  inline Complex cuCmul##f(Complex a, Complex b) {                                  \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                          \
  }                                                                                 \
  /* Scaled by the divisor's size, so that nothing overflows on the way. */         \
  inline Complex cuCdiv##f(Complex a, Complex b) {                                  \
    const T scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                          \
    const Complex c = {a.x * scale, a.y * scale}, d = {b.x * scale, b.y * scale};   \
    const T size = d.x * d.x + d.y * d.y;                                           \
    return {(c.x * d.x + c.y * d.y) / size, (c.y * d.x - c.x * d.y) / size};        \
  }                                                                                 \
  inline T cuCabs##f(Complex a) { return std::hypot(a.x, a.y); }                    \
  inline Complex cuCfma##f(Complex a, Complex b, Complex c) {                       \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};              \
  }
NBODY_COMPLEX(cuFloatComplex, float, f)
NBODY_COMPLEX(cuDoubleComplex, double, )
#undef NBODY_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
