#include "driver/failures.hpp"

#include <cstdio>
#include <exception>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

int reportFailure(const std::string& name, const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
  return status;
}

int reportingFailures(const std::string& name, const std::function<int()>& program) {
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
