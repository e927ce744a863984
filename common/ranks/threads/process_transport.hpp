/// \file
/// The third transport: between ranks of one process a message is a copy in the device's memory.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "cuda/event.hpp"
#include "ranks/threads/rank_threads.hpp"
#include "ranks/transport.hpp"

namespace nbody {

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
