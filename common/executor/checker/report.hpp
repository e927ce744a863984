/// \file
/// Texts of the checker's reports.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "executor/checker/findings.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

using Lines = std::map<std::uint32_t, SourceLine>;  ///< source lines by places in the program

/// Returns the line of \p side in the source.
std::string lineOf(const Finding& finding, const Side& side, const Lines& lines);

/// Lets races around the same lines of a function have one advice, because one missing barrier causes
/// them: that of the races between threads of several warps, if there are some.
void shareBarriers(std::vector<Finding>& findings, const Lines& lines);

/// Returns advice for the author of a race.
std::string raceAdvice(const Finding& finding, const Lines& lines);

/// Returns one text per bug, which begins with "executor: ". Findings of the same bug at the same
/// lines are one. Omits what heldReports() may report later.
std::vector<std::string> describe(std::vector<Finding> findings);

/// Returns the first texts, and how many more there are.
std::string joined(const std::vector<std::string>& texts);

}  // namespace nbody::executor::checker
