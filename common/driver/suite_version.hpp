/// \file
/// Which suite this is: written by the build, common/suite_version.cmake.
#pragma once

namespace nbody {

extern const char* const kSuiteCommit;  ///< "1a2b3c4", or "1a2b3c4-dirty"
extern const char* const kSuitePreset;  ///< "cpu" or "gpu"

}  // namespace nbody
