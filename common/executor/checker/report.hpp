/// \file
/// The text of the checker's reports.
#pragma once

#include <string>
#include <vector>

#include "executor/checker/findings.hpp"

namespace nbody::executor::checker {

/// Returns one text for each bug, which begins with "executor: ". Findings of the same bug at the
/// same lines are one. What heldReports() may give later is left out.
std::vector<std::string> describe(std::vector<Finding> findings);

/// The first texts, and how many more there are.
std::string joined(const std::vector<std::string>& texts);

}  // namespace nbody::executor::checker
