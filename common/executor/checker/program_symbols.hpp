/// \file
/// The symbols of a program, from its ELF file.
#pragma once

#include "executor/checker/program.hpp"

namespace nbody::executor::checker {

/// Adds those of the file at program.path; none where it has none.
void readSymbols(Program& program);

}  // namespace nbody::executor::checker
