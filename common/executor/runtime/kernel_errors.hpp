/// \file
/// Reports a kernel's mistakes and makes errors of them.
#pragma once

#include <string>
#include <vector>

#include "executor/grid.hpp"
#include "executor/runtime/launch.hpp"

namespace nbody::executor::runtime {

/// The reports in a text: each begins a line with "executor: ".
std::vector<std::string> reportsIn(const std::string& text);

/// Reports what the checker has found in an operation that is no kernel. Where reports fail, a race
/// is its error.
void reportFinding(const std::string& text);
/// And what it has held back, now that nothing is queued.
void reportHeld();
/// And prints the notes: behind all reports.
void printNotes();
/// Reports them, and makes the device's error of those with which no kernel can go on.
void kernelFailed(const KernelError& error);
/// A kernel is called as a function, without <<<>>>.
void calledWithoutLaunch(const Kernel& kernel);

}  // namespace nbody::executor::runtime
