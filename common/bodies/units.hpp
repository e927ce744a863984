/// \file
/// Units for a computation in which no intermediate value overflows or underflows, whatever units the bodies have.
///
/// The forces of this suite contain powers of lengths up to the fourth, and their products with masses. In metres and
/// kilograms, these leave the range of single precision although the accelerations themselves are ordinary numbers.
/// So bodies far outside the range of common N-body units are computed in other units, which are powers of two of
/// the caller's: changing to them and back is exact. All others keep their units, and with them every bit.
#pragma once

#include <limits>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Exponents of two: a length of x is x * 2^-length in these units. The unit of time follows, because G stays 1.
struct Units {
  int length = 0;
  int mass = 0;  ///< differs from length by an even number, so that time is a whole number

  int time() const { return (3 * length - mass) / 2; }
  int velocity() const { return length - time(); }
  int acceleration() const { return mass - 2 * length; }
  bool operator==(const Units&) const = default;
};

/// The largest and smallest numbers of some bodies, as exponents of two.
struct Magnitudes {
  static constexpr int kNone = std::numeric_limits<int>::min() / 4;

  int farthest = kNone;  ///< every coordinate is below 2^farthest
  int fastest = kNone;  ///< the same of the velocities' components
  int heaviest = kNone;  ///< the same of the masses
  int lightest = -kNone;  ///< every mass that is not 0 is at least 2^lightest
};

/// Returns the magnitudes of the numbers that are finite.
Magnitudes magnitudesOf(const Bodies& bodies);

/// Returns the units for bodies of these magnitudes. Throws BadInput if \p softening is so short next to the
/// farthest body, or a velocity so fast, that the precision cannot hold both in any unit.
Units unitsFor(const Magnitudes& magnitudes, double softening, bool doublePrecision);

inline Units unitsFor(const Bodies& bodies, double softening, bool doublePrecision) {
  return unitsFor(magnitudesOf(bodies), softening, doublePrecision);
}

/// Returns \p vectors with x, y and z times 2^\p length, and w times 2^\p mass.
std::vector<Double4> scaled(std::vector<Double4> vectors, int length, int mass = 0);

/// Returns \p bodies in \p units.
Bodies inUnits(Bodies bodies, const Units& units);

/// Returns \p bodies, which are in \p units, in the caller's.
Bodies fromUnits(Bodies bodies, const Units& units);

}  // namespace nbody
