/// \file
/// The processes of a run, one per GPU, and their exchanges on the host, with MPI.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "cuda/real.hpp"
#include "driver/processes.hpp"
#include "ranks/layout.hpp"

namespace nbody {

/// All processes that mpirun started, or one if the program was started without it. Functions that
/// exchange data are collective: every rank calls them. An MPI function that fails ends the run.
class Communicator : public Processes {
 public:
  /// Returns all processes. The first call starts MPI.
  static Communicator& world();

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  /// Returns a communicator of the ranks on this host, which the caller frees. Collective.
  MPI_Comm ofHost() const;

  /// Takes a GPU for this process, by its place among the ranks of its host. Throws if a host has
  /// fewer GPUs than ranks, unless \p share.
  void takeGpu(bool share);
  /// Returns whether some ranks share a GPU.
  bool sharesGpu() const { return sharesGpu_; }

  /// Prepares for tests, which every rank runs: ranks may share a GPU, and gather() returns the
  /// values on every rank.
  void prepareForTests() { testing_ = true; }

  using Processes::broadcast;
  /// Returns the largest value of all ranks, on all ranks.
  double maximum(double value) const;
  /// Returns the \p own of all ranks, one rank after the other, on rank 0. T is real4 or int.
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) const;
  /// Returns the values of all ranks, on all ranks.
  template <class T>
  std::vector<T> allGather(const T& own) const {
    std::vector<T> all(size_);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    return all;
  }
  /// All-to-all: sends \p own[r] to rank r. Returns what each rank sent to this one, by rank.
  template <class T>
  std::vector<T> allToAll(const std::vector<T>& own) const {
    std::vector<T> all(size_);
    MPI_Alltoall(own.data(), sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, MPI_COMM_WORLD);
    return all;
  }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

  /// Returns this rank's share of \p all, which only rank 0 has.
  std::vector<real4> scatter(const std::vector<real4>& all, const Layout& layout) const;

  [[noreturn]] void abort(const std::string& why) const override;

  /// Ends MPI when every rank has called this.
  void finish() { MPI_Finalize(); }

 protected:
  void broadcast(void* value, std::size_t bytes) const override;
  std::string firstNonEmpty(std::string text) const override;

 private:
  Communicator();

  int rank_ = 0;
  int size_ = 1;
  bool sharesGpu_ = false;
  bool testing_ = false;
};

/// Returns MPI's text for an error.
std::string errorText(int status);

/// Returns the MPI type of a body: four numbers of the step's precision.
MPI_Datatype bodyType();

}  // namespace nbody
