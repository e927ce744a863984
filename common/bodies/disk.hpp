/// \file
/// The disk of a galaxy.
#pragma once

#include "bodies/radial_table.hpp"
#include "bodies/random.hpp"

namespace nbody {

/// An exponential disk in the plane z = 0 that turns about +z: surface density
/// mass / (2 pi L^2) exp(-R / L), with height sech^2(z / height) and L = 1, out to R = 10.
struct DiskShape {
  double mass;
  double height;
  double toomreQ;  ///< where it is least, at R = 2

  double surfaceDensity(double R) const;

  /// The share of its mass within \p R.
  static double massShare(double R) { return 1 - (1 + R) * std::exp(-R); }

  /// R times the inwards pull of the disk on its own bodies, whatever their heights, in a force
  /// softened by \p epsilon: the sum over rings, by elliptic integrals (Binney and Tremaine 2008,
  /// section 2.6.2).
  double circularSpeedSquared(double R, double epsilon) const;
};

/// What Gaussian velocities have at each radius R, after Hernquist (1993), section 2.2.3.
///
/// The circular speed v_c is that of the mean pull on the layer's bodies; in the plane it is
/// larger. The radial dispersion falls as exp(-R / (2 L)), and is toomreQ 3.36 surfaceDensity /
/// kappa at R = 2. The azimuthal one is that of the epicycles, sigma_R kappa / (2 Omega); the mean
/// speed lags the circular one by the asymmetric drift, v^2 = v_c^2 + sigma_R^2 (1 - kappa^2 / (4
/// Omega^2) - 2 R / L). Upright, sigma_z^2 = <z dPhi/dz>: pi surfaceDensity height for the disk
/// itself, and what the round mass M adds, <z^2 M / r^3>.
class DiskVelocities {
 public:
  /// \param round  softenedMass() of all that is round
  DiskVelocities(const DiskShape& shape, const RadialTable& round, double epsilon);

  double circularSpeed(double R) const { return circular_.at(R); }
  double epicyclicFrequency(double R) const { return epicyclic_.at(R); }
  double meanSpeed(double R) const { return mean_.at(R); }
  double radialDispersion(double R) const { return radial_.at(R); }
  double azimuthalDispersion(double R) const { return azimuthal_.at(R); }
  double verticalDispersion(double R) const { return vertical_.at(R); }

  /// A body's position and velocity about the centre; w is 0 in both.
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

}  // namespace nbody
