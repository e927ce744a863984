/// \file
/// All of a live run but its program, in memory that another program can take over.
#pragma once

#include <string>

#include "driver/live/model.hpp"
#include "measure/device.hpp"
#include "movie/live/token.hpp"
#include "physics/conserved.hpp"

namespace nbody {

struct LiveState {
  LiveSettings settings;
  LiveMoment moment;
  Bodies bodies;
  Conserved conserved;  ///< at the start
  bool playing;
  bool graph;
  LiveTokens tokens;
  Json ladder;
  Device gpu;  ///< the last one, with its measured ceiling; its name is empty where there was none
  std::string program;  ///< path of the one that left this
  std::string refused;  ///< why the run comes back to this program, "what: why"; or empty
};

/// The descriptor of a memory file of \p state that nobody can change any more; closed by exec.
int sealedFile(const LiveState& state);

/// Reads and closes it; throws BadInput where \p descriptor is none such.
LiveState readSealedFile(int descriptor);

}  // namespace nbody
