/// \file
/// Search for the mistake that explains wrong forces: the bodies to explain, and the explanations.
/// An explanation is one line, empty if it does not give the forces to within rounding.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"
#include "bodies/vectors.hpp"
#include "diagnose/force_laws.hpp"

namespace nbody {

/// Forces on a sample of the bodies that failed the check.
struct WrongForces {
  const Bodies& bodies;
  double softening;
  double tolerance;  ///< error that rounding explains; see forceTolerance()
  std::vector<int> sample;  ///< indices of bodies, ascending
  std::vector<Double4> computed;  ///< accelerations of the sample, finite
  std::vector<Double4> reference;  ///< the same in FP64, with the sum of the terms' lengths in w

  ForceLaw law() const { return {.softeningSquared = softening * softening}; }
};

/// A mistake that gives wrong forces, in words. Its share is that of a Symptom.
struct Mistake {
  std::string text = {};
  double share = 1;
};

/// Returns the mistake that gives the forces at \p places of the sample to within rounding, the
/// first two if several do, or nothing. Tries a constant factor, for all components or each;
/// components in another order; few bits; all bodies as one; another law; a vector added to all; a
/// mass at the origin; neighbours and other bodies' masses. If it is none of these, tries sources
/// left out or counted several times; wrong pulls on one side of the diagonal of tiles or in them;
/// forces of other bodies; lanes mixed up; another softening; one of many mistakes together with a
/// Change or with forces of other bodies; another law together with sources left out or counted
/// several times; pulls between ranks.
Mistake mistakeIn(const WrongForces& forces, const std::vector<int>& places);

constexpr double kShareOfTwo = 0.5;  // of two mistakes, so that mending one counts

/// Bodies of a warp: no tile is smaller, and its lanes exchange sums.
constexpr int kLanes = 32;
constexpr std::size_t kLargestTile = 1024;  // sources; a block has as many threads
constexpr std::size_t kFewest = 8;  // with fewer bodies, several mistakes give the same forces

/// Words before a mistake in a clause: "the softening is left out".
inline constexpr const char* kThoseIf = "the forces are those that you get if ";

/// Descriptions of mistakes. Each alone explains the forces.
using Causes = std::vector<std::string>;

/// A second mistake, in all forces: it multiplies each component, then it adds one vector.
struct Change {
  double factors[3] = {1, 1, 1};
  Double4 offset = {0, 0, 0, 0};

  /// Returns the force, with the sum of the terms' lengths in w.
  Double4 of(const Double4& force) const;

  /// Returns whether one component is so much smaller than another that it may be anything.
  bool hidesAComponent() const;
};

/// Some bodies of the sample, with their forces.
struct Targets {
  const WrongForces& forces;
  bool isChanged = false;  ///< match() and areExplainedBy() allow any Change
  mutable std::optional<Change> change = {};  ///< that of the first explanation
  std::vector<int> bodies = {};
  std::vector<Double4> computed = {};
  std::vector<Double4> reference = {};

  /// Takes at most \p most of the bodies at \p places, evenly spread.
  Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most,
          bool isChanged = false);
  std::size_t size() const { return bodies.size(); }
  const Double4& place(std::size_t k) const { return forces.bodies.positions[bodies[k]]; }

  /// Returns whether the computed forces are \p predicted, with the sum of the terms' lengths in w.
  bool match(const std::vector<Double4>& predicted) const;

  /// Returns whether match() holds and \p predicted differs from the correct force by much more
  /// than rounding.
  bool areExplainedBy(const std::vector<Double4>& predicted) const;

  /// Returns the Change with which \p predicted forces come nearest to the computed ones; none
  /// unless isChanged.
  Change changeOf(const std::vector<Double4>& predicted) const;
};

/// Returns whether \p forcesOn gives the forces on the targets. Tries \p few of them first: eight bodies are enough to
/// reject most mistakes.
template <class ForcesOn>
bool explains(ForcesOn forcesOn, const Targets& targets, const Targets& few) {
  return few.match(forcesOn(few)) && targets.areExplainedBy(forcesOn(targets));
}

/// Recognizes all bodies as one at their centre of mass.
std::string centreOfMassMistake(const Targets& targets);

/// Recognizes a mass at the origin that pulls too.
std::string originMistake(const Targets& targets);

/// Recognizes components in another order, of the forces or of the sources.
std::string orderMistake(const Targets& targets, const Targets& few);

/// Recognizes forces, bodies or sources of less precision than the check allows.
std::string precisionMistake(const Targets& targets, const Targets& few);

/// Finds a neighbour, or the source at the body's own place in its tile, that is missing or counted
/// twice, or the mass of another body than the source. Tries \p few of the targets first.
Causes pairMistakes(const Targets& targets, const Targets& few);

/// Finds other laws. Tries \p few of the targets first.
Causes lawMistakes(const Targets& targets, const Targets& few);

/// Finds another softening. Tries \p few of the targets first.
std::string softeningMistake(const Targets& targets, const Targets& few);

/// Finds sources that are left out or counted several times, from \p some of the targets.
Mistake sourceMistake(const Targets& targets, const Targets& some);

/// Finds another law together with sources that are left out or counted several times.
Mistake lawAndSourcesMistake(const Targets& targets);

/// Finds pulls that are missing, repeated, mirrored or of the wrong mass, from all sources in the
/// body's tile, in later tiles or in earlier tiles. Tries \p few of the targets first.
std::string tileMistake(const Targets& targets, const Targets& few);

/// Finds pulls between the shares of a few ranks that are missing or repeated, or were added to
/// another rank's bodies.
std::string shareMistake(const Targets& targets);

/// Returns "bodies 0 to 255, 512 and up": the elements of \p numbers at \p chosen, as ranges of
/// neighbours in \p numbers; from the fourth range on "bodies 0, 8, 16, ... (125 of 1000)".
std::string rangesOf(const std::vector<int>& chosen, const std::vector<int>& numbers,
                     const std::string& noun);

}  // namespace nbody
