/// \file
/// What the main() of a program on several ranks does.
#pragma once

#include <functional>
#include <utility>

#include "driver/run_program.hpp"
#include "ranks/rank_commands.hpp"
#include "ranks/rank_simulation.hpp"
#include "ranks/ranks.hpp"

namespace nbody {

/// Rank 0 runs what every step's program runs, the others follow. Returns the exit status.
/// \param program  what it is without ranks
/// \param prepare  what every rank does once MPI has started
inline int runOnRanks(int argc,
                      char** argv,
                      Program program,
                      const std::function<void()>& prepare = nullptr) {
  Ranks& ranks = Ranks::world();
  Ranks::program() = program.name;
  if (prepare) prepare();
  int status = 0;
  if (ranks.rank() > 0) {
    serve();
  } else {
    program.readsSnapshots = true;
    program.keepsMemory = true;
    program.ranks = ranks.size();
    status = runProgram(argc, argv, program);
    dismiss();
  }
  ranks.finish();
  return status;
}

}  // namespace nbody
