/// \file
/// The bodies of all ranks in one tipsy file. Each rank reads and writes its own part.
#pragma once

#include <functional>
#include <string>

#include "bodies/snapshot.hpp"
#include "ranks/communicator.hpp"

namespace nbody {

/// Bodies of a file that a rank reads and writes: they follow each other from `place` on.
struct FilePart {
  long long place;  ///< of the first, in the order of all bodies
  int count;
};

/// Gives some of a rank's part, \p count from its \p first on, or takes them.
using GiveBodies = std::function<Bodies(int first, int count)>;
using TakeBodies = std::function<void(int first, const Bodies& some)>;

/// File of a snapshot, and what it says of all bodies.
struct SnapshotTarget {
  std::string path;  ///< a regular file's or none's, with the ending of a tipsy file
  int bodies;  ///< of all ranks
  double time;
  double softening;
};

/// Writes the file that nbody::writeSnapshot() would, through MPI-IO, whole or not at all: into one
/// next to it, which rank 0 renames when all have written. Every rank calls it. If the file cannot
/// be written or a body is not finite, throws on all ranks and leaves an earlier file as it was.
void writeTogether(const Communicator& ranks, const SnapshotTarget& target, const FilePart& part,
                   const GiveBodies& give);

/// Reads the bodies of \p file. Every rank calls it. Throws on all ranks if one finds bad input.
/// \param bodies  that all ranks expect of it
void readTogether(const Communicator& ranks, const SnapshotFile& file, int bodies,
                  const FilePart& part, const TakeBodies& take);

}  // namespace nbody
