/// \file
/// Settings of the runtime for later calls.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace nbody::executor {

struct RuntimeSettings {
  /// Starts work when the program waits for it, not when it is queued. Host code that does not wait
  /// then sees old values, as it may on a GPU.
  bool lazy = false;
  /// Stops host code that touches device memory. Costs two system calls per array and launch.
  bool protect = false;
  /// A kernel with reports of the checker ends with an error, even if it could continue, and
  /// takeKernelError() returns it. A program that ladder-nvcc has linked prints them and continues.
  bool reportsFail = true;
  /// A mistake after which the kernel has continued is no error: its report waits for
  /// takeReports(), whose caller looks at the results too.
  bool collectReports = false;
  bool notes = true;  ///< prints notes about unusual things on stderr
  bool summary = false;  ///< says at the end of a program without a report what was checked
  int fail = 0;  ///< number of the call that fails, to test how a program handles it; 0: none
  std::string device = "h100";  ///< its limits hold: a name of device_models.hpp
  int devices = 1;
  /// Few, because a program that asks for the number starts enough blocks to fill the device.
  int multiprocessors = 4;
};

/// Returns the settings. In a program that ladder-nvcc has linked, memory is protected, and if it
/// was built for checking, work is lazy. The environment overrides this: NBODY_EXECUTOR_LAZY=0|1,
/// _PROTECT=0|1, _NOTES=0|1, _FAIL=NUMBER, _DEVICE=NAME, _DEVICES=COUNT, _MULTIPROCESSORS=COUNT.
RuntimeSettings& runtimeSettings();

/// Returns the whole number that the environment variable NBODY_EXECUTOR_\p name has, or
/// \p otherwise without the variable. Ends the program if it has anything else.
int fromEnvironment(const char* name, int otherwise);

/// Returns how often the host has waited for work of the device, or has seen that some has ended.
std::uint64_t hostWaits();

/// Returns the error of the last failed kernel, a KernelError; null if none has failed since the
/// last call. Forgets the sticky error, so that the process can continue.
std::exception_ptr takeKernelError();

/// Returns the reports so far, each once; see collectReports.
std::vector<std::string> takeReports();

}  // namespace nbody::executor
