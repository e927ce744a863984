/// \file
/// Cartesian expansions of a softened pull, of any order: multipoles M of some bodies, local
/// expansions L at others, and the five operators between them.
///
/// With G(r) = (r^2 + epsilon^2)^(-1/2), bodies of mass m_j at B + t_j give a body at A + s the acceleration
/// grad psi(s), psi(s) = sum_j m_j G(R + s - t_j), R = A - B. Taylor's series in s - t, cut where
/// |alpha| + |beta| > P, separates the two sides (alpha and beta are multi-indices):
///
///     M_beta  = (-1)^|beta| sum_j m_j t_j^beta / beta!        multipoles of the source
///     L_alpha = sum_beta D_(alpha + beta) M_beta              D_gamma = d^gamma G(R)
///     psi(s)  = sum_alpha s^alpha / alpha! L_alpha            1 <= |alpha| <= P
///
/// B is the centre of mass, so M of order 1 is 0. Source: Dehnen, J. Comput. Phys. 179 (2002) 27, section 2;
/// the recurrence for D: McMurchie and Davidson, J. Comput. Phys. 26 (1978) 218, section 3.
/// **Units.** High powers of a distance leave the range of FP32: d^(-11) does at d = 3000. So lengths are in a unit u
/// that the caller chooses: M_beta is stored divided by u^|beta|, L_alpha multiplied by u^|alpha|.
#pragma once

#include <utility>

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::fmm {

/// Returns the number of components of orders below \p n: multi-indices with a sum below n.
__host__ __device__ constexpr int componentsBelow(int n) { return n * (n + 1) * (n + 2) / 6; }

/// Returns the place of multi-index (i, j, k): by order, then i falling, then j falling.
__host__ __device__ constexpr int placeOf(int i, int j, int k) {
  return componentsBelow(i + j + k) + (j + k) * (j + k + 1) / 2 + k;
}

/// The multi-index at each place, up to order kOrder.
template <int kOrder>
struct MultiIndices {
  static constexpr int kCount = componentsBelow(kOrder + 1);
  int i[kCount] = {}, j[kCount] = {}, k[kCount] = {}, order[kCount] = {};

  constexpr MultiIndices() {
    int place = 0;
    for (int n = 0; n <= kOrder; ++n)
      for (int rest = 0; rest <= n; ++rest)
        for (int last = 0; last <= rest; ++last, ++place) {
          i[place] = n - rest;
          j[place] = rest - last;
          k[place] = last;
          order[place] = n;
        }
  }
};

/// The table. It is a member, because device code may not use a namespace's constant.
template <int kOrder>
struct Indices {
  static constexpr MultiIndices<kOrder> of = {};
};

/// The places of the multi-indices gamma <= beta, where beta is at place kB. Without this list
/// the compiler would try every pair of places.
template <int kOrder, int kB>
struct NotAbove {
  using I = Indices<kOrder>;
  int place[kB + 1] = {}, count = 0;

  constexpr NotAbove() {
    for (int c = 0; c <= kB; ++c)
      if (I::of.i[c] <= I::of.i[kB] && I::of.j[c] <= I::of.j[kB] && I::of.k[c] <= I::of.k[kB])
        place[count++] = c;
  }
};
template <int kOrder, int kB>
struct PlacesNotAbove {
  static constexpr NotAbove<kOrder, kB> of = {};
};

/// The number kN as a type, for indices known to the compiler.
template <int kN>
struct Constant {
  __host__ __device__ constexpr operator int() const { return kN; }
};

/// Calls f(Constant<n>()) for n from kFirst to kEnd - 1. Constants keep components in registers.
template <int kFirst, int kEnd, class F>
__host__ __device__ __forceinline__ void unrolled(F&& f) {
  if constexpr (kFirst < kEnd)
    [&]<int... kN>(std::integer_sequence<int, kN...>) __attribute__((always_inline)) {
      (f(Constant<kFirst + kN>()), ...);
    }
  (std::make_integer_sequence<int, kEnd - kFirst>());
}

/// Sets \p out to v^alpha / alpha! for all |alpha| <= kOrder; length componentsBelow(kOrder + 1).
template <int kOrder, class Real>
__host__ __device__ __forceinline__ void powers(Real x, Real y, Real z, Real* out) {
  out[0] = 1;
  unrolled<1, componentsBelow(kOrder + 1)>([&](auto p) {
    constexpr int i = Indices<kOrder>::of.i[p], j = Indices<kOrder>::of.j[p],
                  k = Indices<kOrder>::of.k[p];
    if constexpr (i > 0) out[p] = out[placeOf(i - 1, j, k)] * (x * Real(1.0 / i));
    else if constexpr (j > 0) out[p] = out[placeOf(i, j - 1, k)] * (y * Real(1.0 / j));
    else out[p] = out[placeOf(i, j, k - 1)] * (z * Real(1.0 / k));
  });
}

/// Multiplies components kFirst to kEnd - 1 by ratio^|alpha|, which changes their unit of length.
template <int kOrder, int kFirst, int kEnd, class Real>
__host__ __device__ __forceinline__ void rescale(Real ratio, Real* components) {
  Real power[kOrder + 1];
  power[0] = 1;
  unrolled<1, kOrder + 1>([&](auto n) { power[n] = power[n - 1] * ratio; });
  unrolled<kFirst, kEnd>([&](auto p) { components[p] *= power[Indices<kOrder>::of.order[p]]; });
}

/// Returns D_(i,j,k)[shift]. D_000[n] = g[n] = (-1)^n (2n - 1)!! / (r^2 + epsilon^2)^(n + 1/2), and
///     D_(i+1,j,k)[n] = x D_(i,j,k)[n + 1] + i D_(i-1,j,k)[n + 1]
/// along an axis whose exponent is 1, if there is one: then the second term is 0.
template <int kI, int kJ, int kK, int kShift, class Real>
__host__ __device__ __forceinline__ Real derivative(Real x, Real y, Real z, const Real* g) {
  constexpr bool kAlongZ = kK == 1 || (kK > 1 && kI != 1 && kJ != 1 && kK >= kI && kK >= kJ);
  constexpr bool kAlongY = !kAlongZ && (kJ == 1 || (kJ > 1 && kI != 1 && kJ >= kI));
  if constexpr (kI + kJ + kK == 0) {
    return g[kShift];
  } else if constexpr (kAlongZ) {
    const Real first = z * derivative<kI, kJ, kK - 1, kShift + 1>(x, y, z, g);
    if constexpr (kK == 1) return first;
    else return first + (kK - 1) * derivative<kI, kJ, kK - 2, kShift + 1>(x, y, z, g);
  } else if constexpr (kAlongY) {
    const Real first = y * derivative<kI, kJ - 1, kK, kShift + 1>(x, y, z, g);
    if constexpr (kJ == 1) return first;
    else return first + (kJ - 1) * derivative<kI, kJ - 2, kK, kShift + 1>(x, y, z, g);
  } else {
    const Real first = x * derivative<kI - 1, kJ, kK, kShift + 1>(x, y, z, g);
    if constexpr (kI == 1) return first;
    else return first + (kI - 1) * derivative<kI - 2, kJ, kK, kShift + 1>(x, y, z, g);
  }
}

/// Bodies to multipoles (P2M): adds orders 2 to P - 1 of a body of mass \p m at (x, y, z) from the
/// centre, in the cell's unit. The caller adds order 0, the mass.
template <int P, class Real>
__host__ __device__ __forceinline__ void p2m(Real m, Real x, Real y, Real z, Real* multipoles) {
  Real w[componentsBelow(P)];
  powers<P - 1>(-x, -y, -z, w);
  unrolled<componentsBelow(2), componentsBelow(P)>([&](auto p) { multipoles[p] += m * w[p]; });
}

/// Multipoles to multipoles (M2M): adds orders 2 to P - 1 of \p part, of a child whose centre is at
/// (x, y, z) from the parent's, all in the parent's unit. The caller adds order 0. Exact: M'_beta =
/// sum over gamma <= beta of w^gamma / gamma! M_(beta - gamma), w = (-x, -y, -z).
template <int P, class Real>
__host__ __device__ __forceinline__ void m2m(Real x,
                                             Real y,
                                             Real z,
                                             const Real* part,
                                             Real* whole) {
  using I = Indices<P - 1>;
  Real w[componentsBelow(P)];
  powers<P - 1>(-x, -y, -z, w);
  unrolled<componentsBelow(2), componentsBelow(P)>([&](auto b) {
    using Places = PlacesNotAbove<P - 1, b>;
    unrolled<0, Places::of.count>([&](auto n) {
      constexpr int c = Places::of.place[n];
      constexpr int i = I::of.i[b] - I::of.i[c], j = I::of.j[b] - I::of.j[c],
                    k = I::of.k[b] - I::of.k[c];
      if constexpr (i + j + k != 1) whole[b] += w[c] * part[placeOf(i, j, k)];
    });
  });
}

/// Sets \p d to the derivatives D of G at (x, y, z), for orders 1 to P.
/// \param inverse  (x^2 + y^2 + z^2 + epsilon^2)^(-1/2)
/// \param factor   factor on the result
template <int P, class Real>
__host__ __device__ __forceinline__ void
derivatives(Real x, Real y, Real z, Real inverse, Real factor, Real* d) {
  using I = Indices<P>;
  Real g[P + 1];
  g[0] = factor * inverse;
  unrolled<1, P + 1>([&](auto n) { g[n] = g[n - 1] * (inverse * inverse * Real(1 - 2 * n)); });
  unrolled<1, componentsBelow(P + 1)>(
      [&](auto p) { d[p] = derivative<I::of.i[p], I::of.j[p], I::of.k[p], 0>(x, y, z, g); });
}

/// Adds the sums over beta of D_(alpha + beta) M_beta to orders 1 to P of \p local.
template <int P, class Real>
__host__ __device__ __forceinline__ void
addProducts(const Real* d, const Real* multipoles, Real* local) {
  using I = Indices<P>;
  unrolled<0, componentsBelow(P)>([&](auto b) {
    if constexpr (I::of.order[b] != 1)
      unrolled<1, componentsBelow(P + 1 - I::of.order[b])>([&](auto a) {
        local[a] +=
            multipoles[b] *
            d[placeOf(I::of.i[a] + I::of.i[b], I::of.j[a] + I::of.j[b], I::of.k[a] + I::of.k[b])];
      });
  });
}

/// Multipoles to a local expansion (M2L): adds a source's orders 1 to P to \p local. Does not
/// change place 0. All in one unit of length.
/// \param x, y, z     R: from the source's centre to the target's
/// \param inverse     (R^2 + epsilon^2)^(-1/2)
/// \param factor      factor on the result: 1 / u gives psi if the unit is u
/// \param multipoles  orders 0 and 2 to P - 1
template <int P, class Real>
__host__ __device__ __forceinline__ void
m2l(Real x, Real y, Real z, Real inverse, Real factor, const Real* multipoles, Real* local) {
  Real d[componentsBelow(P + 1)];
  derivatives<P>(x, y, z, inverse, factor, d);
  addProducts<P>(d, multipoles, local);
}

/// Local expansion to local expansion (L2L): adds \p local to \p out, about a centre at (x, y, z)
/// from its own. All in one unit. Exact: L'_alpha = sum_gamma v^gamma / gamma! L_(alpha + gamma).
template <int P, class Real>
__host__ __device__ __forceinline__ void l2l(Real x, Real y, Real z, const Real* local, Real* out) {
  using I = Indices<P>;
  Real v[componentsBelow(P)];
  powers<P - 1>(x, y, z, v);
  unrolled<1, componentsBelow(P + 1)>([&](auto a) {
    unrolled<0, componentsBelow(P + 1 - I::of.order[a])>([&](auto c) {
      out[a] +=
          v[c] *
          local[placeOf(I::of.i[a] + I::of.i[c], I::of.j[a] + I::of.j[c], I::of.k[a] + I::of.k[c])];
    });
  });
}

/// Local expansion to a body (L2P): returns grad psi at (x, y, z) from the centre. All in one unit.
template <int P, class Real, class Real3>
__host__ __device__ __forceinline__ Real3 l2p(Real x, Real y, Real z, const Real* local) {
  using I = Indices<P>;
  Real v[componentsBelow(P)];
  powers<P - 1>(x, y, z, v);
  Real3 sum = {0, 0, 0};
  unrolled<0, componentsBelow(P)>([&](auto c) {
    sum.x += v[c] * local[placeOf(I::of.i[c] + 1, I::of.j[c], I::of.k[c])];
    sum.y += v[c] * local[placeOf(I::of.i[c], I::of.j[c] + 1, I::of.k[c])];
    sum.z += v[c] * local[placeOf(I::of.i[c], I::of.j[c], I::of.k[c] + 1)];
  });
  return sum;
}

}  // namespace nbody::inline NBODY_PRECISION::fmm
