/// \file
/// An error the user can fix.
#pragma once

#include <stdexcept>

namespace nbody {

/// An option, a file or a request that cannot be served. One line, what and why; main exits with 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nbody
