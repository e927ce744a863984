/// \file
/// The processes of a run, one for each GPU, and what they tell each other on the host: MPI.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/real.hpp"
#include "ranks/deadlock_watch.hpp"
#include "ranks/shares.hpp"

namespace nbody {

/// All processes that mpirun started; a program started without it is one.
class Ranks {
 public:
  /// Starts MPI at the first call.
  static Ranks& world();

  /// As which the ranks report what fails.
  static std::string& program();

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// This one's host's, in their order; whoever asks frees it. Every rank calls it.
  static MPI_Comm ofHost();

  /// Gives this process a GPU, by its place among those of its host. Where a host has fewer GPUs than
  /// ranks and they may not \p share, throws BadInput on rank 0, and is false on the others.
  bool takeGpu(bool share);
  /// Makes that so without being asked, for tests.
  void allowSharedGpus() { mayShare_ = true; }
  /// Whether some of them share one.
  bool sharesGpu() const { return sharesGpu_; }

  /// What rank 0 has, to all.
  template <class T>
  void broadcast(T& value) const {
    check(MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
  }
  void broadcast(std::string& text) const { broadcast(text, 0); }
  /// The text of the first rank that has one, to all; empty where none has.
  std::string firstOf(std::string text) const;
  /// The greatest that a rank gives, to all.
  double greatest(double value) const;
  /// What each rank gives, on rank 0.
  std::vector<double> gathered(double value) const;
  /// All ranks' \p own, one rank's after the other's, on rank 0.
  std::vector<real4> gathered(const std::vector<real4>& own) const;
  std::vector<int> gathered(const std::vector<int>& own) const;
  /// What each rank gives, to all.
  template <class T>
  std::vector<T> known(const T& own) const {
    std::vector<T> all(size_);
    check(
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD),
        "MPI_Allgather");
    return all;
  }
  /// Of what each rank has for each other that for this one, by rank.
  /// \param own  as many as there are ranks
  template <class T>
  std::vector<T> swapped(const std::vector<T>& own) const {
    std::vector<T> all(size_);
    check(MPI_Alltoall(
              own.data(), sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, MPI_COMM_WORLD),
          "MPI_Alltoall");
    return all;
  }
  void wait() const { check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

  /// From \p all of rank 0 to each rank its \p own.
  void scatter(const std::vector<real4>& all, std::vector<real4>& own, const Shares& shares) const;

  /// Ends all ranks at once, because this one cannot go on.
  [[noreturn]] void abort(const std::string& why) const;

  /// The end of MPI, when every rank comes here.
  void finish();

  /// Throws where an MPI function failed. Most do not come here then: they end the run.
  static void check(int status, const char* function);

 private:
  Ranks();
  void broadcast(std::string& text, int from) const;
  template <class T>
  std::vector<T> gatheredOf(const std::vector<T>& own, MPI_Datatype type) const;

  int rank_ = 0;
  int size_ = 1;
  bool sharesGpu_ = false;
  bool mayShare_ = false;
  std::unique_ptr<DeadlockWatch> watch_;
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

/// A body, for MPI: four numbers of the step's precision.
MPI_Datatype bodyType();

}  // namespace nbody
