/// \file
/// The main() of a program on several ranks: every rank runs the same program.
#pragma once

#include <cstdio>

#include "driver/run_program.hpp"
#include "ranks/communicator.hpp"

namespace nbody {

/// Runs \p program on every rank. Returns the exit status.
/// \param program  the program of one rank
inline int runOnRanks(int argc, char** argv, Program program) {
  Communicator& ranks = Communicator::world();
  program.processes = &ranks;
  program.readsSnapshots = true;
  program.keepsMemory = true;
  // Only rank 0 prints.
  if (!ranks.isFirst() && std::freopen("/dev/null", "w", stdout) == nullptr) std::abort();
  const int status = runProgram(argc, argv, program);
  ranks.finish();
  return status;
}

}  // namespace nbody
