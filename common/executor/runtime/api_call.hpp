/// \file
/// Begin and end of every call of the runtime.
#pragma once

#include <chrono>

namespace nbody::executor::runtime {

/// While one lives the calling thread has the runtime for itself; when the outermost ends, memory
/// is closed to host code. In a kernel it only keeps other threads of kernels out.
class ApiCall {
 public:
  ApiCall();
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;

  /// Runs \p work within a call, if none has been made for a time and none is under way.
  static void whenIdle(std::chrono::milliseconds time, void (*work)());

 private:
  bool isInKernel_;
};

/// Closes the device's variables to host code, which may write one before it calls CUDA.
void closeBeforeMain();

}  // namespace nbody::executor::runtime
