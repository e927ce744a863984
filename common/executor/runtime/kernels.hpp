/// \file
/// Kernels as the runtime has them: what is known of one, and one with its arguments.
#pragma once

#include <string>

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

}  // namespace nbody::executor::runtime
