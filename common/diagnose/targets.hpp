/// \file
/// Search for the mistake that explains wrong forces: the bodies to explain, and the explanations.
/// An explanation is one line, empty if it does not give the forces to within rounding.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

/// Forces that failed the check, on a sample of the bodies.
struct WrongForces {
  const Bodies& bodies;
  double softening;
  double tolerance;  ///< what rounding explains, as forceTolerance() has it
  std::vector<int> sample;  ///< indices of bodies, rising
  std::vector<Double4> computed;  ///< accelerations of the sample, finite
  std::vector<Double4> reference;  ///< the same in FP64; in w the sum of the terms' lengths
};

/// The mistake that gives the forces at \p places of the sample to within rounding, the first two
/// where several do; empty where none of those known does. Tried are: a constant factor, in all
/// components or in each; components in another order; few bits; all bodies as one; another law; a
/// vector added to all; a mass at the origin; neighbours and other bodies' masses; and where it is
/// none of these, in turn: sources left out or counted several times; wrong pulls of one side of the
/// diagonal of tiles or within them; the forces of other bodies; lanes of a warp mixed up; pulls between ranks.
std::string mistakeIn(const WrongForces& forces, const std::vector<int>& places);

/// A warp's bodies: no tile is smaller, and sums are passed on among them.
constexpr int kLanes = 32;
constexpr std::size_t kLargestTile = 1024;  // sources: as many as a block has threads
constexpr std::size_t kFewest = 8;  // bodies; with fewer, several mistakes give the same forces

/// Before a mistake in a clause: "the softening is left out".
inline constexpr const char* kThoseIf = "the forces are those that you get if ";

/// Descriptions of mistakes. Each of them alone explains the forces.
using Causes = std::vector<std::string>;

/// Some bodies of the sample, with their forces.
struct Targets {
  const WrongForces& forces;
  std::vector<int> bodies = {};
  std::vector<Double4> computed = {};
  std::vector<Double4> reference = {};

  /// At most \p most of those at \p places, evenly spread.
  Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most);
  std::size_t size() const { return bodies.size(); }
  const Double4& place(std::size_t k) const { return forces.bodies.positions[bodies[k]]; }

  /// Whether the computed forces are \p predicted, in whose w are the sums of the terms' lengths.
  bool match(const std::vector<Double4>& predicted) const;

  /// Whether they are, and \p predicted is another force than the right one, by much more than
  /// rounding.
  bool areExplainedBy(const std::vector<Double4>& predicted) const;
};

/// All bodies in the place of one, at their centre of mass.
std::string centreOfMassMistake(const Targets& targets);

/// A mass at the origin that pulls too.
std::string originMistake(const Targets& targets);

/// Components in another order, of the forces or of the sources.
std::string orderMistake(const Targets& targets, const Targets& few);

/// Forces, bodies or sources of less precision than the check allows.
std::string precisionMistake(const Targets& targets, const Targets& few);

/// A neighbour or the source at the body's own place in its tile that is missing or comes twice, or
/// the mass of another body than the source. \p few of the targets are tried first.
Causes pairMistakes(const Targets& targets, const Targets& few);

/// Other laws. \p few of the targets are tried first.
Causes lawMistakes(const Targets& targets, const Targets& few);

/// Sources that are left out or counted several times, found from \p some of the targets.
std::string sourceMistake(const Targets& targets, const Targets& some);

/// Pulls that are missing, repeated, mirrored or of the wrong mass, of all sources in the same tile
/// as the body, of all in later tiles or of all in earlier ones. \p few of the targets are tried
/// first.
std::string tileMistake(const Targets& targets, const Targets& few);

/// Pulls between the shares of a few ranks that are missing or repeated, or were added to the bodies of
/// another rank.
std::string shareMistake(const Targets& targets);

/// "bodies 0 to 255, 512 and up": the elements of \p numbers at \p chosen, as ranges of neighbours
/// in \p numbers; "bodies 0, 8, 16, ... (125 of 1000)" from the fourth range on. Both rise.
std::string rangesOf(const std::vector<int>& chosen, const std::vector<int>& numbers,
                     const std::string& noun);

}  // namespace nbody
