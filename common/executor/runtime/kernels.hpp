/// \file
/// Facts about kernels. The runtime refuses launches like a GPU, and reports a kernel's mistakes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "executor/grid.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/launch.hpp"

namespace nbody::executor::runtime {

/// A kernel's body with its arguments.
struct Body {
  std::shared_ptr<const void> closure;
  std::size_t bytes;
  void (*runThread)(const void* closure);  ///< for the calling CUDA thread
  std::vector<Parameter> pointers = {};  ///< only for the checker
};

/// Returns the number of blocks of a kernel that a multiprocessor holds at once.
int activeBlocksOf(const Kernel& kernel, int threads, std::size_t sharedBytes);

/// A kernel, and the line that launched it.
struct LaunchedKernel {
  const Kernel* kernel = nullptr;  ///< null: none
  Caller caller;
  double began = 0;  ///< processorSeconds() at its start
};

/// Returns the processor time of the program, in s. May be called in a signal's handler.
double processorSeconds();

/// Returns how often each kernel has run so far.
const std::map<const Kernel*, std::uint64_t>& kernelRuns();

/// Returns the running kernel. May be called in a signal's handler.
LaunchedKernel runningKernel();

/// Returns whether the device's model accepts the launch. If not, sets the last error.
bool isLaunchable(const Launch& launch, const Kernel& kernel);

/// Reports device variables among a kernel's arguments, because host code's address is wrong there.
void checkArguments(const Launch& launch, const Kernel& kernel, const Body& body);

/// Reports an argument of a launch from a kernel that points to memory of the launching thread or
/// block, and returns whether there is one.
bool passesPrivate(const Launch& launch, const Kernel& kernel, const Body& body);

/// Returns the bytes of dynamic shared memory that a launch of the kernel may use.
std::size_t dynamicLimitOf(const Kernel& kernel);

/// Returns the bytes of static shared memory of a kernel's blocks, without that of its functions.
std::size_t staticSharedBytes(const Kernel& kernel);

/// Returns the reports in a text. Each begins a line with "executor: ".
std::vector<std::string> reportsIn(const std::string& text);

/// Reports what the checker found in an operation that is not a kernel. If reports fail, a race
/// becomes its error.
void reportFinding(const std::string& text);
/// Reports what the checker has held back, because nothing is queued now.
void reportHeld();
/// Prints the notes, after all reports.
void printNotes();
/// Prints the reports, and sets the device's error if no kernel can continue after one of them.
void kernelFailed(const KernelError& error);
/// Reports that a kernel was called as a function, without <<<>>>.
void calledWithoutLaunch(const Kernel& kernel);

}  // namespace nbody::executor::runtime
