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

/// Where \p side is in the source.
std::string lineOf(const Finding& finding, const Side& side, const Lines& lines);

/// What the author of a race is told to do.
std::string raceAdvice(const Finding& finding, const Lines& lines);

/// The report, the first line of which begins "executor: ".
std::string textOf(const Finding& finding, const Lines& lines);

}  // namespace nbody::executor::checker
