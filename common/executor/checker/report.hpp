/// \file
/// The text of the checker's reports.
#pragma once

#include <string>
#include <vector>

#include "executor/checker/findings.hpp"
#include "executor/grid.hpp"

namespace nbody::executor::checker {

constexpr int kMaxReports = 8;  ///< of a launch; the others are only counted

/// One text for each bug, the first line of which begins "executor: ". Findings of the same bug at
/// the same lines are one.
std::vector<std::string> describe(std::vector<Finding> findings, const Grid& grid);

}  // namespace nbody::executor::checker
