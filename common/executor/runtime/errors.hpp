/// \file
/// CUDA's error codes, and how a program asks for them.
#pragma once

#include "executor/runtime/error_table.hpp"

enum cudaError {
#define NBODY_ENUMERATOR(name, number, text) name = number,
  NBODY_CUDA_ERRORS(NBODY_ENUMERATOR)
#undef NBODY_ENUMERATOR
};
typedef enum cudaError cudaError_t;

/// The last error of the calling host thread, which is forgotten. One that a kernel has ended with
/// is sticky: every later call but this one returns it again.
cudaError_t cudaGetLastError();
/// Returns the same error as cudaGetLastError(), and does not forget it.
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
