/// \file
/// CUDA_CHECK(): CUDA's errors as exceptions.
#pragma once

#include <stdexcept>
#include <string>

#ifdef NBODY_GPU
#include <cuda_runtime.h>
#else
#include "executor/runtime_api.hpp"
#endif

namespace nbody {

/// A CUDA call, or a kernel before it, failed. The message names expression, file and line.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws CudaError unless \p status is cudaSuccess.
inline void checkCuda(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw CudaError(std::string(expression) + " failed: " + cudaGetErrorString(status) + " (" + file +
                  ":" + std::to_string(line) + ")");
}

}  // namespace nbody

/// Checks a CUDA runtime call and throws nbody::CudaError where it fails.
#define CUDA_CHECK(expression) ::nbody::checkCuda((expression), #expression, __FILE__, __LINE__)
