/// \file
/// Copies between a caller's arrays and those of a step.
#pragma once

#include <limits>

#include "bodies/units.hpp"
#include "cuda/real.hpp"

namespace nbody::library {

inline constexpr unsigned kNone = 0xffffffff;

/// Checks of all bodies, by a kernel. All bits are set before, and blocks take minima.
struct Checks {
  unsigned badPosition = kNone;  ///< first body whose position is not finite; or kNone
  unsigned badMass = kNone;  ///< first body with a mass that is negative or not finite; or kNone
  unsigned unequal = kNone;  ///< kNone if all masses are equal
  // Exponents of Magnitudes: kZero minus each, and for the lightest mass plus it; or kNone.
  unsigned farthest = kNone, heaviest = kNone, lightest = kNone;
  unsigned moved = kNone;  ///< number of bodies, minus 1, that are not near those of the last call

  static constexpr unsigned kZero = 1 << 16;

  __host__ __device__ bool good() const {
    return badPosition == kNone && badMass == kNone && heaviest != kNone;
  }
  __host__ __device__ bool equalMasses() const { return unequal == kNone; }
  /// Returns whether no exponent is beyond those of \p limits.
  __host__ __device__ bool within(const Checks& limits) const {
    return farthest >= limits.farthest && heaviest >= limits.heaviest &&
           lightest >= limits.lightest;
  }
};

/// Largest number of a precision, and the least one that has all of its digits.
template <class Real>
inline constexpr Real kMost = std::numeric_limits<Real>::max();
template <class Real>
inline constexpr Real kLeast = std::numeric_limits<Real>::min();

/// Returns whether a caller's array can hold the acceleration (\p x, \p y, \p z), which is \p a in
/// other units: it must be finite, and not so small that it loses digits.
template <class Real, class Vector>
__host__ __device__ bool fits(const Vector& a, Real x, Real y, Real z) {
  const auto size = [](auto number) { return number < 0 ? -number : number; };
  const bool finite = size(x) <= kMost<Real> && size(y) <= kMost<Real> && size(z) <= kMost<Real>;
  const bool whole = size(x) >= kLeast<Real> || size(y) >= kLeast<Real> || size(z) >= kLeast<Real>;
  return finite && (whole || (a.x == 0 && a.y == 0 && a.z == 0));
}

/// Results of a call that the host must know, in pinned memory.
struct Reported {
  Checks checks;
  unsigned badResult;  ///< kNone if the caller's arrays can hold all accelerations
};

/// Queues on the suite's stream a kernel that copies and checks bodies.
/// \param positions  x, y, z of each; length 3 \p count
/// \param masses     length \p count
/// \param units      units of \p bodies
/// \param bodies     out: x, y, z, mass; 0 for a bad body
/// \param compare    counts the bodies that have moved: bodies has those of the last call
template <class Real, class Real4>
void pack(const Real* positions, const Real* masses, int count, Units units, Real4* bodies,
          bool compare, Checks* checks);

/// Queues on the suite's stream a kernel that copies accelerations, unless a body is bad, or the
/// masses or magnitudes are not as expected.
/// \param from           x, y, z, 0, in units in which a caller's number x is x * 2^-exponent; length \p count
/// \param next           out: reset for the next call
/// \param reported           out: pinned host memory; badResult must be kNone
/// \param accelerations  out: x, y, z; length 3 \p count
template <class Real, class Real4>
void unpack(const Real4* from, int count, int exponent, const Checks* checks, bool equalMasses,
            const Checks& limits, Checks* next, Reported* reported, Real* accelerations);

}  // namespace nbody::library
