/// \file
/// Facts that the runtime keeps of kernels. It refuses launches as a GPU does, and reports a kernel's mistakes.
#pragma once

#include <string>
#include <vector>

#include "executor/grid.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/launch.hpp"

namespace nbody::executor::runtime {

struct BoundKernel {
  Kernel* kernel = nullptr;
  Body body;
};

/// Facts about the kernel at an address; null if there is no kernel.
Kernel* kernelAt(const void* address);
/// Facts about the kernel at an address, which must be a kernel's.
Kernel& describeKernel(const void* address, void (*withZeros)(const void* kernel));

/// Threads that a block of the kernel may have.
int mostThreadsOf(const Kernel& kernel);
/// Blocks of a kernel that a multiprocessor holds at once.
void activeBlocksOf(int* blocks, const Kernel& kernel, int threads, std::size_t sharedBytes);

/// "kernel 'forces', launched at forces.cu:57", of the kernel that runs; empty if none does.
std::string runningKernel();
/// Runs a kernel, and those that it launches. A failure becomes the device's sticky error.
void runKernel(const Launch& launch, const BoundKernel& kernel);
/// Has a kernel run when the one that launches it has ended.
void runAfterParent(const Launch& launch, const BoundKernel& kernel);

constexpr int kRegistersPerThread = 32;  // a GPU's compiler would say; enough for full occupancy

/// Whether the device's model would run a kernel so. If not, that becomes the last error.
bool isLaunchable(const Launch& launch, const Kernel& kernel);

/// Reports variables of the device among a kernel's arguments: host code has no address of theirs.
void checkArguments(const Launch& launch, const Kernel& kernel, const Body& body);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for.
std::size_t dynamicLimitOf(const Kernel& kernel);

/// Bytes of static shared memory of a kernel's blocks, what its functions have left out.
std::size_t staticSharedBytes(const Kernel& kernel);

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
