/// \file
/// What rank 0 tells the other ranks, and how each does it.
#pragma once

#include <exception>

#include "base/bad_input.hpp"
#include "ranks/rank_part.hpp"

namespace nbody {

enum class Word {
  create,
  destroy,
  upload,
  read,
  write,
  download,
  accelerations,
  poison,
  compute,
  phases,
  step,
  advance,
  synchronize,
  time,
  end
};

/// What rank 0 tells the others, as bytes.
struct Command {
  Word word;
  int simulation;  ///< by number
  int bodies;  ///< create
  double softening;  ///< create
  RankTask task;  ///< time; its timeStep also step and advance
  int repeats;  ///< time
  bool inGraph;  ///< time and advance
};

/// What ranks other than 0 do until they are dismissed.
void serve();

/// Ends serve() on all other ranks.
void dismiss();

/// Makes this rank's part of a simulation, as every rank does.
/// \param options  resolved; rank 0's count
void create(const Command& command, const Options& options);
void destroy(const Command& command);

/// This rank's part of a simulation.
RankPart& partOf(int simulation);

/// What \p command asks of \p part where no rank needs more than it says.
void follow(const Command& command, RankPart& part);

/// Does \p work; where that fails no other rank can go on.
template <class Work>
auto orAbort(Work work) {
  try {
    return work();
  } catch (const BadInput&) {
    throw;  // all ranks know
  } catch (const std::exception& error) {
    Ranks::world().abort(error.what());
  }
}

}  // namespace nbody
