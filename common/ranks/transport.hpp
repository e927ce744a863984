/// \file
/// Transports: how bodies get from the memory of one GPU to that of another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"
#include "ranks/layout.hpp"

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
  // The caller's line. If the message is a copy (ranks/threads/), the executor's reports name it.
  const char* file = __builtin_FILE();
  int line = __builtin_LINE();
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string name() const = 0;

  /// Starts to send and receive, in order with the work on \p link. The k-th message to a rank is
  /// the k-th that it receives from this rank. A transport that needs the host delivers only after
  /// finish(). Work launched in between on another stream continues.
  virtual void start(const std::vector<Outgoing>& outgoing, const std::vector<Incoming>& incoming,
                     cudaStream_t link) = 0;
  virtual void finish(cudaStream_t link) = 0;

  /// All-gather: every rank's \p own bodies to \p all on each rank, in order with work on \p link.
  virtual void gather(const real4* own, real4* all, const Layout& layout, cudaStream_t link) = 0;

  /// Returns whether a CUDA graph can hold the transport.
  virtual bool capturable() const = 0;
};

/// Returns NCCL if it was built in and each rank has its own GPU. Otherwise returns MPI, on device
/// memory if the MPI library supports it, else through host memory.
/// \param besideForces  messages overlap with forces, so they have to find room next to them
std::unique_ptr<Transport> makeTransport(const Communicator& ranks, bool besideForces);

/// Returns NCCL, or null in a build without it.
std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, bool besideForces);

}  // namespace nbody
