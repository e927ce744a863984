/// \file
/// What a viewer asks of a live run.
#pragma once

#include <string>

#include "driver/report_json.hpp"

namespace nbody {

struct LiveOrder {
  enum class Kind { play, pause, step, reset, set };

  Kind kind;
  Json knobs = {};  ///< of set: an object, its members not checked
};

/// Throws BadInput: "what: why", where \p text is none.
LiveOrder orderOf(const std::string& text);

/// The text for \p viewer (0: for all) whose order was refused: "what: why".
Json refusal(const std::string& refused, long long viewer);

}  // namespace nbody
