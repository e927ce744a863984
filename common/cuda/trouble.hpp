/// \file
/// Advice on CUDA errors that the machine causes: its driver, its GPU, or its permissions.
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace nbody {

/// Facts on which the advice depends; 0 if not known.
struct Machine {
  int driver = 0;  ///< newest CUDA that the driver supports, for example 12040 for 12.4
  int toolkit = 0;  ///< CUDA that the program was built with, in the same form
  int capability = 0;  ///< compute capability of the GPU, for example 75 for 7.5
};

/// Returns the facts for this process. Asks the runtime, and sets its last error to success.
Machine thisMachine();

/// Says in one line what is wrong and what to do; empty if the error is the program's own.
std::string troubleOf(cudaError_t status, const Machine& machine);

}  // namespace nbody
