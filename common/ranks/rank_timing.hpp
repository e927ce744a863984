/// \file
/// How long work takes that all ranks do together.
#pragma once

#include <functional>
#include <vector>

#include "measure/timing.hpp"
#include "ranks/communicator.hpp"
#include "ranks/transport.hpp"

namespace nbody {

/// The times of the rank that takes longest, from a common start to its end, after a warm-up; the same
/// on all ranks. Every rank calls it.
/// \param work     what this rank puts on the suite's stream
/// \param period   a sample is of so many runs, or several times as many
/// \param inGraph  launched as a CUDA graph, where there is a GPU and \p transport can be in one
Timing timeTogether(const Communicator& ranks, const Transport& transport,
                    std::function<void()> work, int repeats, int period, bool inGraph);

/// Times in ms for messages of 16 bytes to 16 MiB from each rank to the next of a ring, all at once, in
/// chains of some. Nothing of one rank, which has no next.
std::vector<Metric> timeMessages(const Communicator& ranks, Transport& transport);

}  // namespace nbody
