/// \file
/// What the checker's own files ask of hooks.cpp.
#pragma once

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

/// The running thread begins a slice, which comes after all that it has done; its number.
Slice beginSlice();

}  // namespace nbody::executor::checker
