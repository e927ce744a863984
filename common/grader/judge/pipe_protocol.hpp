/// \file
/// Messages between the judge, which is trusted, and the submission's process, which is not:
/// requests for the forces of bodies, and the forces. Both run on one machine.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// A judge's exit status when the submission's process ended before it had answered; diagnosis.py
/// knows it. Neither the programs nor Catch2, which counts failed assertions, end with it.
inline constexpr int kSubmissionGone = 99;

/// Options of a step by name, as their user wrote them.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// An evaluation of all forces that is asked for; the bodies follow it.
struct ForceRequest {
  double softening = 0;  ///< epsilon, in the bodies' unit of length
  int order = 0;  ///< executor::Order of the threads, and its seed; a GPU has its own
  std::uint64_t orderSeed = 0;
  OptionTexts options;
};

/// One end of the connection: a file descriptor to read from and one to write to. Bodies are x, y,
/// z, mass; forces x, y, z, ignored, as many as there were bodies.
class PipeProtocol {
 public:
  PipeProtocol(int in, int out) : in_(in), out_(out) {}

  /// A dead peer is detected when its reply is read.
  void ask(const ForceRequest& request, const std::vector<real4>& bodies);

  /// Receives a request; false where the judge asks for no more.
  bool asked(ForceRequest& request, std::vector<real4>& bodies);

  /// \param globalBytesRead  by kernels; counted by the executor's checker alone
  void answer(const std::vector<real4>& accelerations, std::uint64_t globalBytesRead);

  /// Receives the answer; false where the other end has gone.
  bool answered(std::vector<real4>& accelerations, std::uint64_t& globalBytesRead);

 private:
  int in_;
  int out_;
};

}  // namespace nbody
