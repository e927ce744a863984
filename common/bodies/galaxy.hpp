/// \file
/// A galaxy like the Milky Way: bulge, disk and halo, from functions of radius.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "bodies/bodies.hpp"
#include "bodies/random.hpp"

namespace nbody {

/// A function's values at radii from 10^-4 to 100, each 1.0136 times the last.
class RadialTable {
 public:
  static constexpr int kCount = 1024;

  static double radius(int k) {
    static const std::array<double, kCount> radii = [] {
      std::array<double, kCount> made;
      for (int k = 0; k < kCount; ++k) made[k] = kLeast * std::exp(kStep * k);
      return made;
    }();
    return radii[k];
  }

  double& operator[](int k) { return values_[k]; }
  double operator[](int k) const { return values_[k]; }

  /// Returns the entry at or before \p r, never the last one.
  static int entryBefore(double r) {
    return std::clamp(static_cast<int>(std::log(r / kLeast) / kStep), 0, kCount - 2);
  }

  /// Returns the value at radius \p r: linear between the entries, constant beyond them.
  double at(double r) const {
    if (!(r > kLeast)) return values_[0];
    const int k = entryBefore(r);
    const double share = std::min(1.0, (r - radius(k)) / (radius(k + 1) - radius(k)));
    return values_[k] + share * (values_[k + 1] - values_[k]);
  }

  /// Returns the derivative at entry \p k, from its neighbours.
  double slopeAt(int k) const {
    const int before = std::max(k - 1, 0), after = std::min(k + 1, kCount - 1);
    return (values_[after] - values_[before]) / (radius(after) - radius(before));
  }

  /// Returns the radius at which a growing function, 0 at radius 0, reaches \p value, below its last value.
  double radiusWhere(double value) const {
    const int k = static_cast<int>(std::upper_bound(values_.begin(), values_.end() - 1, value) -
                                   values_.begin());
    if (k == 0) return kLeast * value / values_[0];
    const double share = (value - values_[k - 1]) / (values_[k] - values_[k - 1]);
    return radius(k - 1) + share * (radius(k) - radius(k - 1));
  }

 private:
  static constexpr double kLeast = 1e-4;
  static constexpr double kStep = 13.815510557964274 / (kCount - 1);  // ln 10^6 over the steps
  std::array<double, kCount> values_ = {};
};

// --- The disk.

/// An exponential disk in the plane z = 0 that turns about +z: surface density
/// mass / (2 pi L^2) exp(-R / L), with height sech^2(z / height) and L = 1, out to R = 10.
struct DiskShape {
  double mass;
  double height;
  double toomreQ;  ///< Toomre's Q at R = 2, near its minimum

  double surfaceDensity(double R) const;

  /// Returns the share of its mass within \p R.
  static double massShare(double R) { return 1 - (1 + R) * std::exp(-R); }

  /// Returns R times the inward pull of the disk on its own bodies, averaged over their heights, in a force that
  /// \p epsilon softens: a sum over rings with elliptic integrals (Binney and Tremaine 2008, Galactic Dynamics,
  /// section 2.6).
  double circularSpeedSquared(double R, double epsilon) const;
};

/// Means and dispersions of the disk's Gaussian velocities at radius R, after Hernquist (1993).
///
/// The circular speed v_c is that of the mean pull on the layer's bodies; in the plane it is
/// larger. The radial dispersion falls as exp(-R / (2 L)), and is toomreQ 3.36 surfaceDensity /
/// kappa at R = 2. The azimuthal one is that of the epicycles, sigma_R kappa / (2 Omega); the mean
/// speed lags the circular one by the asymmetric drift, v^2 = v_c^2 + sigma_R^2 (1 - kappa^2 / (4
/// Omega^2) - 2 R / L). Upright, sigma_z^2 = <z dPhi/dz>: pi surfaceDensity height for the disk
/// itself, and what the round mass M adds, <z^2 M / r^3>.
class DiskVelocities {
 public:
  /// \param round  softenedMass() of bulge and halo
  DiskVelocities(const DiskShape& shape, const RadialTable& round, double epsilon);

  double circularSpeed(double R) const { return circular_.at(R); }
  double epicyclicFrequency(double R) const { return epicyclic_.at(R); }
  double meanSpeed(double R) const { return mean_.at(R); }
  double radialDispersion(double R) const { return radial_.at(R); }
  double azimuthalDispersion(double R) const { return azimuthal_.at(R); }
  double verticalDispersion(double R) const { return vertical_.at(R); }

  /// Draws a body's position and velocity relative to the centre; w is 0 in both.
  void draw(Random& random, Double4& position, Double4& velocity) const;

 private:
  void fillCircles(const RadialTable& round, double epsilon);
  void fillDispersions(const RadialTable& round);

  DiskShape shape_;
  RadialTable massShare_;
  RadialTable circular_;
  RadialTable epicyclic_;
  RadialTable mean_;
  RadialTable radial_;
  RadialTable azimuthal_;
  RadialTable vertical_;
};

// --- Bulge and halo: round, isotropic.

/// Density proportional to exp(-(r / cut)^2) / (r (r + scale)^3): Hernquist (1990, Astrophysical
/// Journal 356, 359), whose endless outskirts are cut off smoothly, as those of the halo in
/// Hernquist (1993, Astrophysical Journal Supplement 86, 389).
struct SpheroidShape {
  double mass;
  double scale;
  double cut;
};

/// Returns r^2 times the pull at r of round \p mass (given within each radius): the part of the mass within r that
/// softening with \p epsilon leaves. A shell of radius a and mass m has the potential
/// m (sqrt((r - a)^2 + epsilon^2) - sqrt((r + a)^2 + epsilon^2)) / (2 a r).
RadialTable softenedMass(const RadialTable& mass, double epsilon);

/// The field of a round mass, or of one that is treated as round.
struct SphericalField {
  explicit SphericalField(const RadialTable& softened);

  RadialTable mass;  ///< softenedMass()
  RadialTable slope;  ///< derivative of the mass by r
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

  /// Returns the mass within each radius.
  const RadialTable& mass() const { return mass_; }

  /// Finds the distribution function in \p field, which draw() needs.
  void setField(const SphericalField& field);

  /// Returns f(E) for E = the potential at entry \p k of the radii.
  double distribution(int k) const { return distribution_[k]; }

  /// Draws a body's position and velocity relative to the centre; w is 0 in both.
  void draw(Random& random, Double4& position, Double4& velocity) const;

 private:
  double secondSlope(int k, const SphericalField& field) const;
  double distributionAt(double energy) const;

  SpheroidShape shape_;
  double factor_ = 1;  ///< factor of the shape's density
  RadialTable mass_;
  RadialTable potential_;
  RadialTable distribution_;
  RadialTable most_;  ///< largest v^2 f(P - v^2 / 2) over all speeds v at a radius
};

// --- The galaxy.

/// The model of makeGalaxy(), from which bodies are drawn; total mass 1.
class GalaxyModel {
 public:
  static constexpr double kSoftening = 0.05;  ///< softening of the force in equilibrium
  static constexpr DiskShape kDisk = {1.0 / 6, 0.2, 1.3};
  static constexpr SpheroidShape kBulge = {1.0 / 6, 0.2, 4};
  static constexpr SpheroidShape kHalo = {4.0 / 6, 4, 15};

  /// Returns the model, which is made once.
  static const GalaxyModel& get();

  const Spheroid& bulge() const { return bulge_; }
  const Spheroid& halo() const { return halo_; }
  const DiskVelocities& disk() const { return disk_; }

  /// Draws the bodies from \p first to \p end (without it) as a galaxy of mass 1, its centre of mass at rest at the
  /// origin. Galaxies with the same \p seed and different \p number have different bodies.
  void draw(Bodies& bodies, int first, int end, std::uint64_t seed, std::uint64_t number) const;

 private:
  GalaxyModel();

  Spheroid bulge_;
  Spheroid halo_;
  RadialTable round_;
  DiskVelocities disk_;
};

}  // namespace nbody
