/// \file
/// Copies between a caller's arrays and those of a step.
#pragma once

#include "cuda/real.hpp"

namespace nbody::library {

inline constexpr unsigned kNone = 0xffffffff;

/// Findings of a kernel that checks all bodies. All bits are set before.
struct Findings {
  unsigned badPosition;  ///< first body with a position that is too far or not finite; or kNone
  unsigned badMass;  ///< first body with a mass that is negative or not finite; or kNone
  unsigned unequal;  ///< kNone if all masses are equal
  unsigned massive;  ///< kNone if all masses are 0

  __host__ __device__ bool good() const {
    return badPosition == kNone && badMass == kNone && massive != kNone;
  }
  __host__ __device__ bool equalMasses() const { return unequal == kNone; }
};

/// Largest coordinate, whose square times 3 is finite, and largest mass.
template <class Real>
constexpr Real kMostCoordinate = sizeof(Real) == sizeof(float) ? Real(1e18) : Real(1e150);
template <class Real>
constexpr Real kMostMass = sizeof(Real) == sizeof(float) ? Real(3.4e38) : Real(1.7e308);

/// Queues on the suite's stream a kernel that copies and checks bodies.
/// \param positions  x, y, z of each; length 3 \p count
/// \param masses     length \p count
/// \param bodies     out: x, y, z, mass; 0 for a bad body
template <class Real, class Real4>
void pack(const Real* positions, const Real* masses, int count, Real4* bodies, Findings* findings);

/// Queues on the suite's stream a kernel that copies accelerations, unless a body is bad or the
/// masses are not as expected.
/// \param from           x, y, z, 0; length \p count
/// \param next           out: reset for the next call
/// \param told           out: the findings; pinned host memory
/// \param accelerations  out: x, y, z; length 3 \p count
template <class Real, class Real4>
void unpack(const Real4* from, int count, const Findings* findings, bool equalMasses,
            Findings* next, Findings* told, Real* accelerations);

}  // namespace nbody::library
