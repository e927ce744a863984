/// \file
/// Functions of hooks.cpp that other files of the checker call.
#pragma once

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

/// The running thread begins a slice, which comes after all that it has done; its number.
Slice beginSlice();

}  // namespace nbody::executor::checker
