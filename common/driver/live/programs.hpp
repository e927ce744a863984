/// \file
/// The programs that a live run can climb to.
#pragma once

#include <map>
#include <string>

namespace nbody {

/// The path of the program that runs.
std::string ownPath();

/// By key: 0 the host baseline simd, 1 to 9 the step of that number, where they have been built
/// beside \p path, the program that runs.
std::map<int, std::string> programsBeside(const std::string& path, bool doublePrecision);

/// "03_unrolled"
std::string programName(const std::string& path);

}  // namespace nbody
