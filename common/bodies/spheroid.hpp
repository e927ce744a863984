/// \file
/// Round, isotropic components of a galaxy: bulge and halo.
#pragma once

#include "bodies/radial_table.hpp"
#include "bodies/random.hpp"

namespace nbody {

/// Density proportional to exp(-(r / cut)^2) / (r (r + scale)^3): Hernquist (1990, Astrophysical
/// Journal 356, 359), whose endless outskirts are cut off smoothly, as those of the halo in
/// Hernquist (1993, Astrophysical Journal Supplement 86, 389).
struct SpheroidShape {
  double mass;
  double scale;
  double cut;
};

/// The pull at r of round \p mass (within each radius), times r^2: what softening \p epsilon leaves
/// of the mass within r. A shell of radius a and mass m has the potential
/// m (sqrt((r - a)^2 + epsilon^2) - sqrt((r + a)^2 + epsilon^2)) / (2 a r).
RadialTable softenedMass(const RadialTable& mass, double epsilon);

/// The field of a round mass, or of one that is taken as round.
struct SphericalField {
  explicit SphericalField(const RadialTable& softened);

  RadialTable mass;  ///< softenedMass()
  RadialTable slope;  ///< of the mass by r
  RadialTable potential;  ///< relative: above 0, and 0 far away
};

/// A spheroid in equilibrium in a galaxy's field.
///
/// Speeds are drawn from the one distribution function of energy alone that has this density in
/// that field, by Eddington's formula (Binney and Tremaine 2008, Galactic Dynamics, section
/// 4.3): with the relative potential P and energy E = P - v^2 / 2,
/// f(E) = 1 / (sqrt(8) pi^2) integral from 0 to E of (d^2 density / dP^2) dP / sqrt(E - P).
class Spheroid {
 public:
  explicit Spheroid(const SpheroidShape& shape);

  /// Within each radius.
  const RadialTable& mass() const { return mass_; }

  /// Finds the distribution function in \p field, which draw() needs.
  void setField(const SphericalField& field);

  /// f(E) at E = the potential at radius entry \p k.
  double distribution(int k) const { return distribution_[k]; }

  /// A body's position and velocity about the centre; w is 0 in both.
  void draw(Random& random, Double4& position, Double4& velocity) const;

 private:
  double secondSlope(int k, const SphericalField& field) const;
  double distributionAt(double energy) const;

  SpheroidShape shape_;
  double factor_ = 1;  ///< of the shape's density
  RadialTable mass_;
  RadialTable potential_;
  RadialTable distribution_;
  RadialTable most_;  ///< of v^2 f(P - v^2 / 2) over all speeds v at a radius
};

}  // namespace nbody
