/// \file
/// The third transport: a message between ranks of one process is a copy in device memory.
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

// Ranks that are threads of one process, so that tests and grading need no MPI.

/// Threads that run one at a time, so that every run has the same order. A thread runs until it
/// waits for another. Then the next thread that can continue has its turn.
class RankThreads {
 public:
  explicit RankThreads(int ranks);
  RankThreads(const RankThreads&) = delete;

  /// Runs \p job on each rank. When all have ended, throws the exception of the first that failed.
  void run(const std::function<void(int rank)>& job);

  /// Returns when \p holds. The job of \p rank calls it. If no rank can continue, all throw.
  /// \param whom  what the rank waits for, in words: "for 3 bodies from rank 1"
  void await(int rank, const std::function<bool()>& holds, const std::string& whom);

 private:
  /// Thrown in a rank that ends because another one has failed.
  struct Abandoned {};
  struct Rank {
    bool ended = true;
    std::function<bool()> holds;  ///< condition it waits for; empty: none
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
  int turn_;  ///< rank that has the turn; the number of ranks: none
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  ///< the last member: they end before the others go
};

/// Message from one rank to another.
struct Message {
  Message(const real4* data, int count) : data(data), count(count) {}

  const real4* data;
  int count;
  Event sent;  ///< the bodies are written
  Event taken;  ///< the bodies have been read
  bool isTaken = false;  ///< the receiver has queued its copy, and `taken`, on its stream
};

/// Messages in flight, by the rank that sends and the rank that receives.
using Messages = std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>>;

/// Transport of one rank. A send and its receive meet in finish(): the receiver's stream waits for
/// the sender's work up to start(), and the sender's work after finish() waits for the copy.
class ProcessTransport : public Transport {
 public:
  /// \param own  this rank's stream, which is also the suite's during its turn
  ProcessTransport(int rank, cudaStream_t own, RankThreads& threads, Messages& messages)
      : rank_(rank), own_(own), threads_(threads), messages_(messages) {}

  std::string name() const override { return "copies within the device"; }
  bool capturable() const override { return false; }

  void start(const std::vector<Outgoing>& outgoing, const std::vector<Incoming>& incoming,
             cudaStream_t link) override;
  void finish(cudaStream_t link) override;
  void gather(const real4* own, real4* all, const Layout& layout, cudaStream_t link) override;

  /// Throws if a transport was started and not finished, because the next one would get its data.
  void requireFinished() const;

  /// Records how the bodies of the last evaluation were sent.
  struct Travelled {
    std::map<int, int> messages;  ///< numbers of messages to other ranks
    bool onOwnStream = false;  ///< messages were on the stream that also computes the rank's sums
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
