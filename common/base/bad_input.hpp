/// \file
/// An error the user can fix.
#pragma once

#include <stdexcept>

namespace nbody {

/// Error of the user: an option, file or request that cannot be served. The message is one line,
/// which says what and why. main() prints it and exits with 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nbody
