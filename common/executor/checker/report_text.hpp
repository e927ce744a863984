/// \file
/// The text of one finding.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "executor/checker/findings.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

using Lines = std::map<std::uint32_t, SourceLine>;  ///< by places in the program

/// Returns the line of \p side in the source.
std::string lineOf(const Finding& finding, const Side& side, const Lines& lines);

/// Returns the advice to the author of a race.
std::string raceAdvice(const Finding& finding, const Lines& lines);

/// Returns the report, which begins with "executor: ".
std::string textOf(const Finding& finding, const Lines& lines);

}  // namespace nbody::executor::checker
