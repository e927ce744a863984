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
  LiveMoment moment = {};
  Bodies bodies = {};
  Conserved conserved = {};  ///< at the start
  bool playing = true;
  bool graph;
  LiveTokens tokens;
  Json ladder = Json::array();
  Device gpu = {};  ///< the last one, its ceiling measured; its name is empty where there was none
};

/// The descriptor of a memory file of \p state that nobody can change any more.
int sealedFile(const LiveState& state);

/// Reads and closes it; throws BadInput where \p descriptor is none such.
LiveState readSealedFile(int descriptor);

}  // namespace nbody
