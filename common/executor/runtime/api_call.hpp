/// \file
/// Begin and end of every call of the runtime, and the errors that the program has had.
#pragma once

#include <chrono>
#include <exception>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"

namespace nbody::executor::runtime {

/// Makes \p error the calling host thread's last one, unless it is cudaSuccess. Returns the sticky
/// error where there is one, \p error otherwise.
cudaError_t result(cudaError_t error = cudaSuccess);

/// Error that a kernel ended with. Every later call returns it.
cudaError_t stickyError();
void setSticky(cudaError_t error, std::exception_ptr reason);
/// Sets what takeKernelError() returns, without a sticky error.
void setReason(std::exception_ptr reason);
/// The device is new: no error is sticky.
void clearSticky();

/// Reports a mistake of the program in a call, which returns \p error for it: it needs no second
/// report where the program ignores it.
cudaError_t mistake(cudaError_t error, const std::string& text);

/// The program has asked for work: a copy, a launch, memory. Who asks for errors only now has
/// waited too long to tell which call has failed.
void countWork();

/// Counts the calls that allocate, free, copy or fill memory or launch a kernel. Returns an error for the
/// call that NBODY_EXECUTOR_FAIL names by its number, and does so with a note.
cudaError_t failureAskedFor(const std::string& what, const Caller& caller);

/// The error of something whose result the program has not looked at; \p what describes it. It is
/// reported at the program's end, unless the program asks for its last error before other work.
void setUnseen(cudaError_t error, const std::string& what, const Caller& caller,
               const std::string& why = "");
void reportUnseen();
/// Reports those that came up before the last work that the program has asked for: who has not
/// looked by then looks too late.
void reportOverlooked();

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
