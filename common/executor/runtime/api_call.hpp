/// \file
/// Start and end of every call of the runtime, and errors of the program.
#pragma once

#include <chrono>
#include <exception>
#include <string>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"

namespace nbody::executor::runtime {

/// Makes \p error the calling host thread's last error, unless it is cudaSuccess. Returns the
/// sticky error if there is one, else \p error. \p why explains it if the program ignores it.
cudaError_t result(cudaError_t error = cudaSuccess, const char* why = "");

/// Returns the error that ended a kernel. Every later call returns it.
cudaError_t stickyError();
void setSticky(cudaError_t error, std::exception_ptr reason);
/// Sets what takeKernelError() returns, without a sticky error.
void setReason(std::exception_ptr reason);
/// Resets the device: no error is sticky.
void clearSticky();

/// Reports a mistake of the program in a call, which returns \p error. Ignoring that error causes
/// no second report.
cudaError_t mistake(cudaError_t error, const std::string& text);
/// Returns \p error because of a mistake that has no other effect on a GPU. The mistake is reported
/// if the program ignores the error or ends because of it. Otherwise a note describes it.
cudaError_t refused(cudaError_t error, const std::string& text);

/// Counts a call that starts work: a copy, a launch, memory. An error seen only after this cannot
/// be assigned to a call.
void countWork();

/// Counts calls that allocate, free, copy or fill memory, launch a kernel, or wait for one and tell
/// its error. If NBODY_EXECUTOR_FAIL names the call's number, prints a note and returns an error.
cudaError_t failureAskedFor(const std::string& what, const Caller& caller);

/// Sets an error that the program has not looked at; \p what describes its cause. It is reported at
/// the program's end, unless the program asks for its last error before other work. Then it is
/// treated as in refused(), with the text \p mistake, if there is one.
void setUnseen(cudaError_t error, const std::string& what, const Caller& caller,
               const std::string& why = "", const std::string& mistake = "");
/// Reports them at the program's end.
void reportUnseen(int status);
/// Reports errors from before the last work that the program started, because then it is too late.
void reportOverlooked();

/// A call of the runtime. The calling thread has the runtime for itself during its life. When the
/// outermost call ends, memory is closed to host code. In a kernel it excludes other threads.
class ApiCall {
 public:
  /// \p isPrograms: the program calls, and not the runtime for itself.
  explicit ApiCall(bool isPrograms = true);
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;

  /// Runs \p work in a call, if there has been no call for a time and none is running.
  static void whenIdle(std::chrono::milliseconds time, void (*work)());

 private:
  bool isInKernel_;
};

/// Host code that a stream runs on the calling thread. It may not call CUDA, which is reported.
class HostFunction {
 public:
  explicit HostFunction(const Caller& caller);
  ~HostFunction();
  HostFunction(const HostFunction&) = delete;

 private:
  int calls_;  ///< calls of the runtime that the thread is in
};

/// Closes the device's variables to host code, which may write one before it calls CUDA.
void closeBeforeMain();

}  // namespace nbody::executor::runtime
