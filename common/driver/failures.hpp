/// \file
/// The end of a program that fails: one line on stderr and an exit status.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/processes.hpp"

namespace nbody {

/// Prints `name: what` on stderr, after all that was printed before; returns \p status.
inline int reportFailure(const std::string& name, const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
  return status;
}

/// Runs \p program, which returns its exit status. If it throws, prints one line on stderr and returns 2 for bad
/// input, 1 for any other failure. If there are several processes, the first reports what all know.
inline int reportingFailures(const std::string& name, const std::function<int()>& program,
                             const Processes& processes = kOneProcessAlone) {
  // A file's name may have several lines, the message one.
  const auto report = [&](const std::exception& error, int status) {
    return processes.isFirst() ? reportFailure(name, oneLine(error.what()), status) : 0;
  };
  try {
    return program();
  } catch (const AgreedFailure& failure) {
    return report(failure, failure.status);
  } catch (const BadInput& error) {
    return report(error, 2);
  } catch (const std::exception& error) {
    if (processes.size() > 1) processes.abort(error.what());
    return reportFailure(name, error.what(), 1);
  }
}

}  // namespace nbody
