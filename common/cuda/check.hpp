/// \file
/// CUDA_CHECK(): CUDA's errors as exceptions.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace nbody {

/// A CUDA call, or a kernel before it, failed. The message names expression, file and line.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws unless \p status is cudaSuccess: BadInput if a block has more threads than its kernel's registers
/// allow, otherwise CudaError, which says what to do if the machine is at fault (trouble.hpp). On the
/// executor it throws executor::KernelError with the checker's findings in the last launch.
void checkCuda(cudaError_t status, const char* expression, const char* file, int line);

}  // namespace nbody

/// Checks a CUDA runtime call, and throws if it fails. After a launch: CUDA_CHECK(cudaGetLastError()).
#define CUDA_CHECK(expression) ::nbody::checkCuda((expression), #expression, __FILE__, __LINE__)
