/// \file
/// The bodies of all ranks in one tipsy file, each rank's read and written by itself.
#pragma once

#include <functional>
#include <string>

#include "bodies/bodies.hpp"
#include "ranks/ranks.hpp"

namespace nbody {

/// Which bodies of a file a rank reads and writes: those that follow each other from `place` on.
struct FilePart {
  long long place;  ///< of the first, in the order of all bodies
  int count;
};

/// Gives some of a rank's part, \p count from its \p first on, or takes them.
using GiveBodies = std::function<Bodies(int first, int count)>;
using TakeBodies = std::function<void(int first, const Bodies& some)>;

/// Where and what a snapshot is; rank 0's counts.
struct SnapshotTarget {
  std::string path;  ///< a regular file's or none's, not CSV's
  int bodies;  ///< of all ranks
  double time;
  double softening;
};

/// Writes the file that nbody::writeSnapshot() would, through MPI-IO, whole or not at all: into one
/// beside it, which rank 0 renames when all have written. Every rank calls it. Throws BadInput on rank
/// 0 where it cannot be written. Returns, to all, which body is no longer finite, and then leaves the
/// file as it was; empty where all are.
std::string writeTogether(const Ranks& ranks,
                          SnapshotTarget target,
                          const FilePart& part,
                          const GiveBodies& give);

/// Reads the bodies of a tipsy file. Every rank calls it. Throws BadInput on rank 0 for what is wrong
/// with the first that is refused, and is false on the others.
/// \param path    rank 0's counts
/// \param bodies  that all ranks expect of it
bool readTogether(const Ranks& ranks,
                  std::string path,
                  int bodies,
                  const FilePart& part,
                  const TakeBodies& take);

}  // namespace nbody
