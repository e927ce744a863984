/// \file
/// All ranks' bodies in one tipsy file. Each rank reads and writes its part.
#pragma once

#include <functional>
#include <string>

#include "bodies/snapshot.hpp"
#include "ranks/communicator.hpp"

namespace nbody {

/// Part of a file that a rank reads and writes: bodies that follow each other from `place` on.
struct FilePart {
  long long place;  ///< place of the first body, in the order of all bodies
  int count;
};

/// Returns \p count bodies of a rank's part, from its \p first on, or takes them.
using GiveBodies = std::function<Bodies(int first, int count)>;
using TakeBodies = std::function<void(int first, const Bodies& some)>;

/// File of a snapshot, and its metrics about all bodies.
struct SnapshotTarget {
  std::string path;  ///< a regular file or none yet, with the ending of a tipsy file
  int bodies;  ///< bodies of all ranks
  double time;
  double softening;
};

/// Writes the file that nbody::writeSnapshot() would write, with MPI-IO, whole or not at all: rank
/// 0 renames the temporary file when all have written. Collective. If the file cannot be written or
/// a body is not finite, throws on all ranks and keeps an earlier file.
void writeTogether(const Communicator& ranks, const SnapshotTarget& target, const FilePart& part,
                   const GiveBodies& give);

/// Reads the bodies of \p file. Collective. Throws on all ranks if one finds bad input.
/// \param bodies  number of bodies that all ranks expect
void readTogether(const Communicator& ranks, const SnapshotFile& file, int bodies,
                  const FilePart& part, const TakeBodies& take);

}  // namespace nbody
