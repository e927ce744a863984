/// \file
/// Messages between the judge, which is trusted, and the submission's process, which is not:
/// requests for the forces of bodies, and the forces. Both run on the same machine.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// Exit status of a judge whose submission ended before it had answered; diagnosis.py has the same
/// number. Neither the programs nor Catch2, which counts failed assertions, use it.
inline constexpr int kSubmissionGone = 99;

/// Options of a step by name, as written by the user.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// A request for the forces of bodies, which follow it.
struct ForceRequest {
  double softening = 0;  ///< epsilon, in the bodies' unit of length
  int order = 0;  ///< executor::Order of the threads, and its seed; a GPU has its own order
  std::uint64_t orderSeed = 0;
  /// A mistake of a kernel is reported with the forces, which show what it does. Otherwise it ends
  /// the submission: a tree with wrong numbers could keep a walk busy for ever.
  bool goesOn = false;
  bool inTurns = false;  ///< executor::Options::inTurns
  OptionTexts options;
};

/// One end of the connection: a file descriptor for reading and one for writing. Bodies are x, y,
/// z, mass; forces are x, y, z and an unused number, as many as bodies.
class PipeProtocol {
 public:
  PipeProtocol(int in, int out) : in_(fdopen(in, "rb")), out_(fdopen(out, "wb")) {
    if (in_ == nullptr || out_ == nullptr) throw std::runtime_error("a file descriptor is closed");
  }

  /// Sends a request. If the other end has closed, answered() reports it.
  void ask(const ForceRequest& request, const std::vector<real4>& bodies);

  /// Receives a request. Returns false if the judge has no more.
  bool asked(ForceRequest& request, std::vector<real4>& bodies);

  /// \param globalBytesRead  by kernels; only the executor's checker counts them
  /// \param reports          of the checker; see ForceRequest::goesOn
  void answer(const std::vector<real4>& accelerations, std::uint64_t globalBytesRead,
              const std::string& reports);

  /// Receives the answer. Returns false if the other end has closed.
  bool answered(std::vector<real4>& accelerations, std::uint64_t& globalBytesRead,
                std::string& reports);

 private:
  std::FILE* in_;
  std::FILE* out_;
};

}  // namespace nbody
