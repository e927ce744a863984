/// \file
/// The main() of a program on several ranks: every rank runs the shared program.
#pragma once

#include <cstdio>
#include <utility>

#include "driver/run_program.hpp"
#include "ranks/communicator.hpp"

namespace nbody {

/// Returns the exit status.
/// \param program  what it is on one rank
inline int runOnRanks(int argc, char** argv, Program program) {
  Communicator& ranks = Communicator::world();
  program.processes = &ranks;
  program.readsSnapshots = true;
  program.keepsMemory = true;
  // Rank 0 prints for all.
  if (!ranks.isFirst() && std::freopen("/dev/null", "w", stdout) == nullptr) std::abort();
  const int status = runProgram(argc, argv, program);
  ranks.finish();
  return status;
}

}  // namespace nbody
