/// \file
/// Settings of the runtime for later calls.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

namespace nbody::executor {

struct RuntimeSettings {
  /// Work starts when the program waits for it, not where it is asked for: host code that does not
  /// wait sees what it had, as it may on a GPU.
  bool lazy = false;
  /// Host code that touches device memory is stopped. Costs two system calls for each array and launch.
  bool protect = false;
  /// A kernel with reports of the checker ends with an error, even if it could continue, and
  /// takeKernelError() has it. A program that ladder-nvcc has linked prints them and continues.
  bool reportsFail = true;
  bool notes = true;  ///< on stderr, of what is odd but no error
  int fail = 0;  ///< the number of the call that fails, to try how a program takes it; 0: none
  std::string device = "h100";  ///< whose limits hold: a name of device_models.hpp
  int devices = 1;
  /// Few: what asks the device for its size starts as many blocks as fill it.
  int multiprocessors = 4;
};

/// In a program that ladder-nvcc has linked, memory is protected and, where it has been built for
/// checking, work is lazy. The environment says otherwise: NBODY_EXECUTOR_LAZY=0|1, _PROTECT=0|1,
/// _NOTES=0|1, _FAIL=NUMBER, _DEVICE=NAME, _DEVICES=COUNT, _MULTIPROCESSORS=COUNT.
RuntimeSettings& runtimeSettings();

/// How often the host has waited for work of the device, or has seen that some is over.
std::uint64_t hostWaits();

/// The error of the last kernel that failed, a KernelError, null where none has since the last
/// call. The device is as before it: its sticky error is forgotten, so that the process can go on.
std::exception_ptr takeKernelError();

}  // namespace nbody::executor
