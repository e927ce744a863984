/// \file
/// The processes of a run, one for each GPU, and what they exchange on the host: MPI.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "cuda/real.hpp"
#include "driver/processes.hpp"
#include "shares.hpp"

namespace nbody {

/// All processes that mpirun started; a program started without it is one. Every rank calls each function
/// that exchanges something.
class Communicator : public Processes {
 public:
  /// Starts MPI at the first call.
  static Communicator& world();

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  /// The ranks of this one's host, in their order; the caller frees it.
  MPI_Comm ofHost() const;

  /// Gives this process a GPU, by its place among those of its host. Throws if a host has fewer GPUs than
  /// ranks and they may not \p share.
  void takeGpu(bool share);
  /// Whether some of them share one.
  bool sharesGpu() const { return sharesGpu_; }

  /// For tests, which every rank runs: ranks may share a GPU, and every rank gets what gather() gives the
  /// first.
  void prepareForTests() { testing_ = true; }

  using Processes::broadcast;
  /// The greatest value that a rank gives, on all.
  double maximum(double value) const;
  /// Returns what each rank gives, on rank 0.
  std::vector<double> gather(double value) const;
  /// All ranks' \p own, one rank's after the other's, on rank 0.
  std::vector<real4> gather(const std::vector<real4>& own) const;
  std::vector<int> gather(const std::vector<int>& own) const;
  /// Returns what each rank gives, on all ranks.
  template <class T>
  std::vector<T> allGather(const T& own) const {
    std::vector<T> all(size_);
    check(
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD),
        "MPI_Allgather");
    return all;
  }
  /// \p own[r] goes to rank r. Returns what each rank has sent to this one, by rank.
  template <class T>
  std::vector<T> allToAll(const std::vector<T>& own) const {
    std::vector<T> all(size_);
    check(MPI_Alltoall(own.data(), sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE,
                       MPI_COMM_WORLD),
          "MPI_Alltoall");
    return all;
  }
  void barrier() const { check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

  /// Returns this rank's share of \p all, which rank 0 has.
  std::vector<real4> scatter(const std::vector<real4>& all, const Shares& shares) const;

  [[noreturn]] void abort(const std::string& why) const override;

  /// The end of MPI, when every rank comes here.
  void finish() { check(MPI_Finalize(), "MPI_Finalize"); }

  /// Throws if an MPI function failed. Most functions do not return then: they end the run.
  static void check(int status, const char* function);

 protected:
  void broadcast(void* value, std::size_t bytes) const override;
  std::string firstNonEmpty(std::string text) const override;

 private:
  Communicator();
  template <class T>
  std::vector<T> gatherValues(const std::vector<T>& own, MPI_Datatype type) const;

  int rank_ = 0;
  int size_ = 1;
  bool sharesGpu_ = false;
  bool testing_ = false;
};

/// Lengths and places of the shares, as MPI_Scatterv and its kin take them.
struct Layout {
  explicit Layout(const Shares& shares) {
    for (int rank = 0; rank < shares.ranks; ++rank) {
      counts.push_back(shares.count(rank));
      begins.push_back(shares.begin(rank));
    }
  }
  std::vector<int> counts, begins;
};

/// MPI's own words for an error.
std::string errorText(int status);

/// A body, for MPI: four numbers of the step's precision.
MPI_Datatype bodyType();

}  // namespace nbody
