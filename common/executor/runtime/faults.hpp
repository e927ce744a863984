/// \file
/// Host code, or a kernel, that touches memory it may not.
#pragma once

namespace nbody::executor::runtime {

/// From here on such an access is reported with its line, and ends the program.
void catchFaults();

}  // namespace nbody::executor::runtime
