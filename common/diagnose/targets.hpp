/// \file
/// Bodies whose wrong forces are to be explained, and the explanations with files of their own. An
/// explanation is one line, empty where it does not give the forces to within rounding.
#pragma once

#include <string>
#include <vector>

#include "bodies/vectors.hpp"
#include "diagnose/mistakes.hpp"

namespace nbody {

constexpr std::size_t kLargestTile = 1024;  // sources: as many as a block has threads
constexpr std::size_t kFewest = 8;  // bodies; with fewer, several mistakes give the same forces

/// Some bodies of the sample, with their forces.
struct Targets {
  std::vector<int> bodies;
  std::vector<Double4> computed;
  std::vector<Double4> reference;

  /// At most \p most of those at \p places, evenly spread.
  Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most);
  std::size_t size() const { return bodies.size(); }
};

/// Whether the computed forces are \p predicted, in whose w are the sums of the terms' lengths.
bool matches(const Targets& targets, const std::vector<Double4>& predicted, double tolerance);

/// Whether they are, and \p predicted is another force than the right one, by much more than
/// rounding.
bool explains(const Targets& targets, const std::vector<Double4>& predicted, double tolerance);

/// All bodies in the place of one, at their centre of mass.
std::string centreOfMassMistake(const WrongForces& forces, const Targets& targets);

/// Another law. \p few of the targets are tried first.
std::string lawMistake(const WrongForces& forces, const Targets& targets, const Targets& few);

/// Sources that are left out or counted several times, found from \p some of the targets.
std::string sourceMistake(const WrongForces& forces, const Targets& targets, const Targets& some);

/// Pulls that are missing, repeated, mirrored or of the wrong mass, of all sources in the same tile
/// as the body, of all in later tiles or of all in earlier ones. \p few of the targets are tried
/// first.
std::string tileMistake(const WrongForces& forces, const Targets& targets, const Targets& few);

/// Forces that are right in the sum over each 32 bodies only.
std::string laneMistake(const WrongForces& forces, const Targets& targets);

}  // namespace nbody
