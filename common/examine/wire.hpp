/// \file
/// What goes between the examiner, which is trusted, and the process that a hand-in runs in, which
/// is not: requests for the forces of bodies, and the forces. Both ends are of one machine.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// Parameters by name, as the user of a step has set them.
using ParameterValues = std::vector<std::pair<std::string, int>>;

/// An evaluation of all forces that is asked for.
struct ForceRequest {
  double softening = 0;  ///< epsilon, in the bodies' unit of length
  int order = 0;  ///< executor::Order of the threads, and its seed; a GPU has its own
  std::uint64_t orderSeed = 0;
  ParameterValues parameters;
  std::vector<real4> bodies;  ///< x, y, z, mass
};

struct ForceReply {
  std::uint64_t globalBytesRead = 0;  ///< by kernels; counted by the executor's checker alone
  std::vector<real4> accelerations;  ///< x, y, z, ignored; as many as there were bodies
};

/// One end of the connection: a file descriptor to read from and one to write to.
class Wire {
 public:
  Wire(int in, int out) : in_(in), out_(out) {}

  void send(const ForceRequest& request);
  void send(const ForceReply& reply);

  /// Receives a request; false where the examiner asks for no more.
  bool receive(ForceRequest& request);

  /// Receives the reply to a request of \p count bodies; false where the other end has gone.
  bool receive(ForceReply& reply, std::size_t count);

 private:
  int in_;
  int out_;
};

}  // namespace nbody
