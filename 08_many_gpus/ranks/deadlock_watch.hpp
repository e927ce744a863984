/// \file
/// Ends a run in which every rank waits for another, and says which for which.
#pragma once

#include <mpi.h>

#include <memory>
#include <thread>

namespace nbody {

/// What one rank waits for, in memory that the ranks of a host share.
struct RankWait;

/// Watches the calls of MPI that wait. All ranks make it, and end it before MPI_Finalize(). Across
/// hosts, or of one rank, it sees nothing.
class DeadlockWatch {
 public:
  DeadlockWatch();
  ~DeadlockWatch();
  DeadlockWatch(const DeadlockWatch&) = delete;

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::unique_ptr<std::jthread> thread_;  ///< of rank 0
};

}  // namespace nbody
