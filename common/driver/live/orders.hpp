/// \file
/// What a viewer asks of a live run.
#pragma once

#include <string>

#include "driver/report_json.hpp"

namespace nbody {

struct LiveOrder {
  enum class Kind { play, pause, step, reset, set, climb };

  Kind kind;
  Json knobs = {};  ///< of set: an object, its members not checked
  int key = 0;  ///< of climb
};

/// Throws BadInput: "what: why", where \p text is none.
LiveOrder orderOf(const std::string& text);

/// The message that \p refused, "what: why", becomes.
std::string refusalText(const std::string& refused);

}  // namespace nbody
