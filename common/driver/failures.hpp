/// \file
/// How a program ends that could not do what it was asked.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

/// Prints `name: what` on stderr, after all that was printed before; returns \p status.
inline int reportFailure(const std::string& name, const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
  return status;
}

/// Runs \p program, which returns its exit status. What it throws becomes one line on stderr and 2
/// for bad input, 1 for any other failure.
inline int reportingFailures(const std::string& name, const std::function<int()>& program) {
  try {
    return program();
  } catch (const BadInput& error) {
    // A file's name may have several lines, the message one.
    return reportFailure(name, oneLine(error.what()), 2);
  } catch (const std::exception& error) {
    return reportFailure(name, error.what(), 1);
  }
}

}  // namespace nbody
