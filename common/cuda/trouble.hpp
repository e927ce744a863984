/// \file
/// Advice on CUDA errors that the machine causes: its driver, its GPU, or who may use it.
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace nbody {

/// Facts on which the advice depends; 0 if not known.
struct Machine {
  int driver = 0;  ///< newest CUDA that the driver knows, 12040 say for 12.4
  int toolkit = 0;  ///< CUDA that the program was built with, in the same form
  int capability = 0;  ///< of the GPU, 75 say for 7.5
};

/// Returns the facts for this process. Asks the runtime, and sets its last error to success.
Machine thisMachine();

/// Says in one line what is wrong and what to do; empty if the error is the program's own.
std::string troubleOf(cudaError_t status, const Machine& machine);

}  // namespace nbody
