/// \file
/// Scenes: initial conditions by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Initial conditions that `--scene NAME` makes.
struct Scene {
  std::string name;
  std::string description;  ///< one line: what it is, and its units
  Bodies (*make)(int count, std::uint64_t seed);
  /// Names the kinds of bodies and their ranges; null if all are of one kind.
  std::vector<BodyRange> (*components)(int count) = nullptr;
  double softening = 0.01;  ///< default, in the scene's unit of length
  double timeStep = 1.0 / 1024;  ///< default, in the scene's unit of time
  int fixedCount = 0;  ///< number of bodies, if it is fixed; 0 if `--bodies` chooses it
};

/// Every scene, in the order of the help.
const std::vector<Scene>& scenes();

/// Throws BadInput if the name is unknown; the message lists the scenes.
const Scene& sceneNamed(std::string_view name);

/// Uniform in the cube [-1, 1]^3, at rest; masses between 0.5 and 1.5 of their mean; total mass 1,
/// G = 1. It collapses within about one time unit.
Bodies makeCube(int count, std::uint64_t seed);

/// A Plummer sphere in N-body units (G = 1, total mass 1, total energy -1/4, in virial
/// equilibrium), equal masses. Source: Aarseth, Henon and Wielen (1974), Astronomy and Astrophysics
/// 37, 183, appendix. The scale length is 3 pi / 16, the half-mass radius 0.77; radii beyond 99.9%
/// of the mass are left out. The centre of mass rests at the origin.
Bodies makePlummer(int count, std::uint64_t seed);

/// Equal masses on a sphere of radius 1, at rest; total mass 1, G = 1. Source: Newton, Principia
/// (1687), book I, propositions 70 and 71. Expect: no force inside but the bodies' graininess,
/// outside that of one mass at the centre, on the shell itself half of that, 1/2 inwards. So it
/// falls together at time pi/2.
Bodies makeShell(int count, std::uint64_t seed);

/// Equal masses, uniform in the sphere of radius R = 1, at rest; total mass M = 1, G = 1. Source:
/// van Albada (1982), Monthly Notices of the RAS 201, 939. Expect: all radii shrink alike, to the
/// centre at the free-fall time pi/2 sqrt(R^3 / (2 G M)) = 1.11; then a rebound that leaves a
/// cluster in equilibrium and a few per cent of the bodies on their way out. Graininess and
/// softening keep the densest moment finite.
Bodies makeCollapse(int count, std::uint64_t seed);

/// Two Plummer spheres, each of half the mass and half the size of makePlummer()'s, 4 apart on a
/// parabolic orbit of pericentre 0.5 in the plane z = 0; equal masses, total mass 1, G = 1. The
/// first half of the bodies (with the odd one) is one sphere. Source: the encounters of Toomre and
/// Toomre (1972), Astrophysical Journal 178, 623. Expect: the first passage at time 4.4 as for
/// points, then, as the passage heats the spheres, a fall back and a merger. Momentum and the
/// centre of mass stay at rest at the origin.
Bodies makeCollision(int count, std::uint64_t seed);

/// "sphere 1" and "sphere 2".
std::vector<BodyRange> collisionComponents(int count);

/// A galaxy like the Milky Way: bulge, exponential disk and halo of masses 1:1:4 (as in Gaburov,
/// Bedorf and Portegies Zwart 2010), equal masses. G = 1, total mass 1, and the disk's scale length
/// 1; for a disk of 3 kpc and 5 10^10 solar masses the unit of time is 4.5 Myr, that of speed 656
/// km/s. The disk turns about +z; its shape and motions are those of galaxy.hpp (height 0.2, Toomre's
/// Q 1.3), and so are bulge and halo (scales 0.2 and 4, cut off at 4 and 15), in
/// equilibrium in the force of the default softening, 0.05, a quarter of the disk's height. Expect:
/// a circle at R = 2.2 takes time 31; surface density and rotation stay while the disk slowly
/// heats, the more the fewer the bodies.
Bodies makeGalaxy(int count, std::uint64_t seed);

/// Returns "bulge", "disk" and "halo". The halo also gets the remainder of N / 6.
std::vector<BodyRange> galaxyComponents(int count);

/// Two galaxies of makeGalaxy(), each of half the mass and the same size (so sqrt(1/2) of its
/// speeds), on a parabola in the plane z = 0 (angular momentum +z) of pericentre 2.5, which points
/// along x from galaxy 1 to galaxy 2; 20 apart at the start. Equal masses, total mass 1, G = 1, in
/// the order of mergerComponents(). Galaxy 1's disk lies in the orbit's plane and turns as the
/// orbit does; galaxy 2's is inclined by 71 degrees, with its pericentre 30 degrees from its
/// ascending node (after Barnes 1992, Astrophysical Journal 393, 484). Expect: points would pass at
/// time 49; these overlap, pass at time 51, 3.2 apart, and throw out tails as in Toomre and Toomre
/// (1972), above all galaxy 1; 11 apart they turn back, at time 100; a second passage at 166, one
/// galaxy from time 190 on. The centre of mass rests at the origin.
Bodies makeMerger(int count, std::uint64_t seed);

/// Returns "bulge 1", "disk 1", "halo 1", "bulge 2", "disk 2", "halo 2". An odd body is galaxy 1's.
std::vector<BodyRange> mergerComponents(int count);

/// Two bodies of masses 0.75 and 0.25, separation 1 at the start, on a circular orbit: G = 1,
/// period 2 pi.
Bodies makeTwoBodyCircular(int count, std::uint64_t seed);

/// Masses 0.75 and 0.25, semi-major axis 1, eccentricity 0.5; starts at apocentre, period 2 pi.
Bodies makeTwoBodyEccentric(int count, std::uint64_t seed);

/// The Sun, then Mercury to Neptune (the Earth and its Moon as one body) at J2000, JD 2451545.0, in
/// ecliptic coordinates about their barycentre. Lengths in AU, masses in solar masses (in
/// all 1.00134), time in 1/k = 58.1324409 days with Gauss' k = 0.01720209895, so that G = 1.
/// Source: Standish, Keplerian Elements for Approximate Positions of the Major Planets (JPL), valid
/// 1800 to 2050. Expect: years of 2 pi a^(3/2), the Earth's 6.2832, Mercury's 1.5132; the planets'
/// pulls move the Earth by 5e-5 AU in its year. The softening, 1e-5 AU, changes the Sun's pull on
/// Mercury by 2e-9 of it at most.
Bodies makeSolar(int count, std::uint64_t seed);

/// Each of the nine by its name.
std::vector<BodyRange> solarComponents(int count);

}  // namespace nbody
