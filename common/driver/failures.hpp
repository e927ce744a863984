/// \file
/// How a program ends that could not do what it was asked.
#pragma once

#include <functional>
#include <string>

namespace nbody {

/// Prints `name: what` on stderr, after all that was printed before; returns \p status.
int reportFailure(const std::string& name, const std::string& what, int status);

/// Runs \p program, which returns its exit status. What it throws becomes one line on stderr and 2
/// for bad input, 1 for any other failure.
int reportingFailures(const std::string& name, const std::function<int()>& program);

}  // namespace nbody
