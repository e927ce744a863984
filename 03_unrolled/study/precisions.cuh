/// \file
/// Positions and sums of different precision: what a body is in each, and how it is made of one in
/// FP64; the vector between two; a coordinate of a sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "cuda/cuda.hpp"

namespace nbody {

constexpr double kFixedRange = 0x1p30;  // of a coordinate: the difference of two then fits an int

enum class Positions { fp32, pairs, fixed, fp64 };
enum class Sums { plain, compensated };

template <Positions kPositions>
using RealOf = std::conditional_t<kPositions == Positions::fp64, double, float>;

template <class Real>
struct Vector {
  Real x, y, z;
};

/// A body: position, and mass in w.
template <Positions>
struct Body {
  float4 at;
};
template <>
struct Body<Positions::pairs> {
  float4 at, rest;  // the position is their sum
};
template <>
struct Body<Positions::fixed> {
  int4 at;  // units of the scale; w: the bits of the mass
};
template <>
struct Body<Positions::fp64> {
  Double4 at;
};

inline float4 rounded(const Double4& p) {
  return {static_cast<float>(p.x),
          static_cast<float>(p.y),
          static_cast<float>(p.z),
          static_cast<float>(p.w)};
}

/// \p body of one in FP64. scale: length of a unit of fixed point, a power of two.
inline void convert(const Double4& p, float, Body<Positions::fp32>& body) { body.at = rounded(p); }
inline void convert(const Double4& p, float, Body<Positions::pairs>& body) {
  body.at = rounded(p);
  body.rest = rounded({p.x - body.at.x, p.y - body.at.y, p.z - body.at.z, 0});
}
inline void convert(const Double4& p, float scale, Body<Positions::fixed>& body) {
  const auto units = [&](double value) { return static_cast<int>(std::lround(value / scale)); };
  const float mass = static_cast<float>(p.w);
  body.at = {units(p.x), units(p.y), units(p.z), 0};
  std::copy_n(
      reinterpret_cast<const char*>(&mass), sizeof mass, reinterpret_cast<char*>(&body.at.w));
}
inline void convert(const Double4& p, float, Body<Positions::fp64>& body) { body.at = p; }

__device__ inline float massOf(const Body<Positions::fp32>& b) { return b.at.w; }
__device__ inline float massOf(const Body<Positions::pairs>& b) { return b.at.w; }
__device__ inline float massOf(const Body<Positions::fixed>& b) { return __int_as_float(b.at.w); }
__device__ inline double massOf(const Body<Positions::fp64>& b) { return b.at.w; }

/// From i to j. scale: as of convert().
__device__ inline Vector<float> difference(const Body<Positions::fp32>& i,
                                           const Body<Positions::fp32>& j,
                                           float) {
  return {j.at.x - i.at.x, j.at.y - i.at.y, j.at.z - i.at.z};
}
__device__ inline Vector<float> difference(const Body<Positions::pairs>& i,
                                           const Body<Positions::pairs>& j,
                                           float) {
  // For near bodies the first difference is exact.
  return {(j.at.x - i.at.x) + (j.rest.x - i.rest.x),
          (j.at.y - i.at.y) + (j.rest.y - i.rest.y),
          (j.at.z - i.at.z) + (j.rest.z - i.rest.z)};
}
__device__ inline Vector<float> difference(const Body<Positions::fixed>& i,
                                           const Body<Positions::fixed>& j,
                                           float scale) {
  // Exact except for the conversion, which rounds the difference and not the positions.
  return {static_cast<float>(j.at.x - i.at.x) * scale,
          static_cast<float>(j.at.y - i.at.y) * scale,
          static_cast<float>(j.at.z - i.at.z) * scale};
}
__device__ inline Vector<double> difference(const Body<Positions::fp64>& i,
                                            const Body<Positions::fp64>& j,
                                            float) {
  return {j.at.x - i.at.x, j.at.y - i.at.y, j.at.z - i.at.z};
}

/// One coordinate of a sum. Compensated (Kahan): what an addition rounds away is subtracted from the
/// next term.
template <Sums kSums, class Real>
struct Sum {
  Real value = 0;
  Real excess = 0;

  __device__ void add(Real term) {
    if constexpr (kSums == Sums::plain) {
      value += term;
    } else {
      const Real corrected = term - excess;
      const Real next = value + corrected;
      excess = (next - value) - corrected;
      value = next;
    }
  }
};

}  // namespace nbody
