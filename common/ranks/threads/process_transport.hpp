/// \file
/// The third transport: between ranks of one process a message is a copy in the device's memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/event.hpp"
#include "ranks/transport.hpp"

namespace nbody {

// Ranks that are threads of one process: MPI's processes are not needed to test or grade what ranks do.

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

/// Message from one rank to another.
struct Message {
  Message(const real4* data, int count) : data(data), count(count) {}

  const real4* data;
  int count;
  Event sent;  ///< the bodies are where they are read from
  Event taken;  ///< they have been read
  bool isTaken = false;  ///< the receiver has put its copy, and `taken`, on its stream
};

/// Messages in flight, by the rank that sends and the rank that receives.
using Messages = std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>>;

/// Transport of one rank. A send and its receive meet in finish(): the receiver's stream waits for
/// the sender's work up to start(), and the sender's work after finish() waits for the copy.
class ProcessTransport : public Transport {
 public:
  /// \param own  this rank's stream, the suite's while it is its turn
  ProcessTransport(int rank, cudaStream_t own, RankThreads& threads, Messages& messages)
      : rank_(rank), own_(own), threads_(threads), messages_(messages) {}

  std::string name() const override { return "copies within the device"; }
  bool capturable() const override { return false; }

  void start(const std::vector<Outgoing>& outgoing, const std::vector<Incoming>& incoming,
             cudaStream_t link) override;
  void finish(cudaStream_t link) override;
  void gather(const real4* own, real4* all, const Shares& shares, cudaStream_t link) override;

  /// Throws where something was started and not finished: the next evaluation would get it.
  void requireFinished() const;

  /// How the bodies of an evaluation went that is over.
  struct Travelled {
    std::map<int, int> messages;  ///< to each of the other ranks
    bool onOwnStream = false;  ///< on which the rank's sums are
  };
  Travelled takeTravelled() { return std::exchange(travelled_, {}); }

 private:
  void receive(const Incoming& in, cudaStream_t link);
  void await(const std::function<bool()>& holds, const std::string& whom);

  int rank_;
  cudaStream_t own_;
  RankThreads& threads_;
  Messages& messages_;
  std::vector<std::shared_ptr<Message>> outgoing_;
  std::vector<Incoming> incoming_;
  Travelled travelled_;
};

}  // namespace nbody
