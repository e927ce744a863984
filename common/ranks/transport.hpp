/// \file
/// How bodies get from the memory of one GPU to that of another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"
#include "shares.hpp"

namespace nbody {

class Communicator;

/// Device memory that this rank sends.
struct Outgoing {
  const real4* data;
  int count;
  int to;
};

/// Device memory that this rank receives into.
struct Incoming {
  real4* data;
  int count;
  int from;
  // The line that asks for it: where it is a copy (ranks/threads/), the executor's reports name it.
  const char* file = __builtin_FILE();
  int line = __builtin_LINE();
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string name() const = 0;

  /// Sends and receives all of it, in order with the work on \p link; the k-th of what a rank sends
  /// another is the k-th that it receives. Where the transport needs the host, the data arrive only
  /// once finish() is called; what is launched between the two on another stream goes on meanwhile.
  virtual void start(const std::vector<Outgoing>& outgoing, const std::vector<Incoming>& incoming,
                     cudaStream_t link) = 0;
  virtual void finish(cudaStream_t link) = 0;

  /// Every rank's \p own bodies to \p all of each, in order with the work on \p link.
  virtual void gather(const real4* own, real4* all, const Shares& shares, cudaStream_t link) = 0;

  /// Whether a CUDA graph can hold it.
  virtual bool capturable() const = 0;
};

/// Returns NCCL if it was built in and each rank has its own GPU, otherwise MPI: on device memory
/// if the MPI library says that it can, else through the host's memory.
/// \param besideForces  messages are hidden behind forces, and have to find room next to them
std::unique_ptr<Transport> makeTransport(const Communicator& ranks, bool besideForces);

/// Null in a build without NCCL.
std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, bool besideForces);

}  // namespace nbody
