/// \file
/// Reports at the end of a program.
#pragma once

namespace nbody::executor::runtime {

/// From here on the program's end reports work that nobody waited for, errors that nobody looked
/// at and memory that was never freed; with reports it ends with status 1 instead of 0.
void watchProgramEnd();

}  // namespace nbody::executor::runtime
