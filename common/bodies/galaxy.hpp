/// \file
/// A galaxy like the Milky Way: bulge, disk and halo.
#pragma once

#include <cstdint>

#include "bodies/bodies.hpp"
#include "bodies/disk.hpp"
#include "bodies/spheroid.hpp"

namespace nbody {

/// The galaxy of makeGalaxy(), of total mass 1, as it is before bodies are drawn.
class GalaxyModel {
 public:
  static constexpr double kSoftening = 0.05;  ///< of the force in which it is in equilibrium
  static constexpr DiskShape kDisk = {1.0 / 6, 0.2, 1.3};
  static constexpr SpheroidShape kBulge = {1.0 / 6, 0.2, 4};
  static constexpr SpheroidShape kHalo = {4.0 / 6, 4, 15};

  /// Made once.
  static const GalaxyModel& get();

  const Spheroid& bulge() const { return bulge_; }
  const Spheroid& halo() const { return halo_; }
  const DiskVelocities& disk() const { return disk_; }

  /// \p count bodies, their centre of mass at rest at the origin. Galaxies of the same \p seed and
  /// different \p number are of different bodies.
  Bodies draw(int count, std::uint64_t seed, std::uint64_t number) const;

 private:
  GalaxyModel();

  Spheroid bulge_;
  Spheroid halo_;
  RadialTable round_;
  DiskVelocities disk_;
};

}  // namespace nbody
