/// \file
/// The state that a live run leaves to the next program, next to the file of the bodies.
#pragma once

#include <optional>
#include <string>

#include "driver/live/model.hpp"
#include "physics/conserved.hpp"

namespace nbody {

struct LiveState {
  LiveSettings settings;
  LiveMoment moment = {};
  std::optional<Conserved> conserved = {};  ///< at the start; nothing: this is the start
  bool playing = true;
  std::string program = {};  ///< that had it last
  std::string gpu = {};  ///< whose peak rate was measured last; or empty
  double tflops = 0;  ///< its peak rate
};

Json json(const LiveState& state);

/// Throws BadInput where \p text is no state.
LiveState stateOf(const std::string& text);

}  // namespace nbody
