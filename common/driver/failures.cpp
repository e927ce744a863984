#include "driver/failures.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "base/bad_input.hpp"

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
    std::string what = error.what();
    // A file's name may have several lines, the message one.
    std::replace(what.begin(), what.end(), '\n', ' ');
    return reportFailure(name, what, 2);
  } catch (const std::exception& error) {
    return reportFailure(name, error.what(), 1);
  }
}

}  // namespace nbody
