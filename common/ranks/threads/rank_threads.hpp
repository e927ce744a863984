/// \file
/// Ranks that are threads of one process: MPI's processes are not needed to test or grade what ranks do.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nbody {

/// Threads that run one at a time, so that every run has the same order. A thread runs until it
/// waits for another. Then the next thread that can continue has its turn.
class RankThreads {
 public:
  explicit RankThreads(int ranks);
  RankThreads(const RankThreads&) = delete;

  /// Runs \p job on each; returns when all have ended, and throws what the first threw that failed.
  void run(const std::function<void(int rank)>& job);

  /// For \p rank, whose job calls it: returns when \p holds. Where all ranks wait in vain, that is an
  /// error of them all. \p whom  in words: "for 3 bodies from rank 1"
  void await(int rank, const std::function<bool()>& holds, const std::string& whom);

 private:
  /// Thrown in a rank that ends because another has failed.
  struct Abandoned {};
  struct Rank {
    bool ended = true;
    std::function<bool()> holds;  ///< what it waits for; empty: nothing
    std::string whom;
  };

  void work(int rank, const std::stop_token& stop);
  bool canGoOn(const Rank& rank) const;
  void passOn(int rank);
  std::string deadlock() const;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Rank> ranks_;
  const std::function<void(int rank)>* job_ = nullptr;
  int turn_;  ///< whose it is; all ranks': nobody's
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  ///< the last member: they end before the others go
};

}  // namespace nbody
