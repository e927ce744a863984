/// \file
/// The parent of a live run, which lives on when a program that the run climbed to crashes.
#pragma once

#include <optional>

namespace nbody {

/// Where a live run is asked for: runs it in a child, and in further ones what it climbs to. One
/// that fails is followed by the program before it, from the state at the climb; if that fails, too,
/// the run ends. Returns the exit status; nothing where this is the child or no run is live.
/// To be called before MPI or a GPU is used: this process keeps none of their memory.
std::optional<int> guardLive(int argc, char** argv);

}  // namespace nbody
