/// \file
/// The programs that a live run can climb to, and the change from one to another.
#pragma once

#include <map>
#include <string>

#include "movie/live/listener.hpp"

namespace nbody {

/// The path of the program that runs.
std::string ownPath();

/// By key: 0 the host baseline simd, 1 to 9 the step of that number, where they have been built
/// beside \p path, the program that runs.
std::map<int, std::string> programsBeside(const std::string& path, bool doublePrecision);

/// "03_unrolled"
std::string programName(const std::string& path);

/// Goes on as the program of \p path, with \p listener and the descriptor \p state. Comes back only
/// where that cannot be started, and says why, "what: why".
std::string becomeProgram(const std::string& path, const Listener& listener, int state);

/// Forgets children that have ended: Open MPI's daemon of a single process, which goes with the
/// program that started it.
void reapChildren();

/// What `--live-resume` names.
struct LiveDescriptors {
  int listener, state;
};

/// Throws BadInput.
LiveDescriptors descriptorsOf(const std::string& resume);

}  // namespace nbody
