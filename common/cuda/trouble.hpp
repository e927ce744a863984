/// \file
/// What to do about a CUDA error that is the machine's: its driver, its GPU, who may use it.
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace nbody {

/// What an advice depends on; 0 where it is not known.
struct Machine {
  int driver = 0;  ///< newest CUDA that the driver knows, 12040 say for 12.4
  int toolkit = 0;  ///< CUDA that the program was built with, in the same form
  int capability = 0;  ///< of the GPU, 75 say for 7.5
};

/// Of this process; asks the runtime, whose last error it leaves as it is after success.
Machine thisMachine();

/// What is wrong and what to do, in one line; empty of an error that is the program's own.
std::string troubleOf(cudaError_t status, const Machine& machine);

}  // namespace nbody
