/// \file
/// Which part of a method wrong forces come from.
#pragma once

#include <string>

#include "driver/run_program.hpp"

namespace nbody {

/// Tries the settings of \p options.ablations() in turn, on at most 1,000 of \p bodies. One line:
/// the last that gives right forces, the first that does not, and what those look like. Empty where
/// all are right, or there are none.
std::string failedAblation(const Program& program,
                           const StepOptions& options,
                           const Bodies& bodies,
                           double softening,
                           double unitRoundoff);

}  // namespace nbody
