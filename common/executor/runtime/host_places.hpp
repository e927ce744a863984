/// \file
/// Lines of host code by addresses in it.
#pragma once

#include <string>
#include <vector>

namespace nbody::executor::runtime {

inline constexpr const char* kUnknownLine = "an unknown line";

/// "main.cu:12" of the first of \p addresses, innermost first, that lies in the program's own code;
/// kUnknownLine where none does. By addr2line. \p first: the first address is that of an
/// instruction; the others, and it otherwise, are those behind calls.
std::string hostPlace(const std::vector<const void*>& addresses, bool isInstruction = false);

/// Stands for the place of \p addresses where the name of a file is asked for: few of these places are
/// ever shown, and addr2line takes its time. Lives as long as the program.
const char* codeName(const std::vector<const void*>& addresses);
/// The hostPlace() that \p name stands for; empty where it is the name of a file.
std::string placeOfCode(const char* name);

}  // namespace nbody::executor::runtime
