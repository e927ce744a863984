#include "executor/language/device_errors.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/language/groups/meeting.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

unsigned multiprocessors = 4;

static std::atomic<KernelStop> lastStop = KernelStop::none;

KernelStop takeKernelStop() { return lastStop.exchange(KernelStop::none); }

/// Leaves the checker, before words are put together: the linker may have taken std::string's code
/// from a kernel's object, where it is watched.
static void leaveChecker() {
  if (currentThread.inKernel) checker::leaveThread();
}

/// Ends the kernel; in host code, the process.
[[noreturn]] static void stop(KernelStop why, const std::string& what, const std::string& message) {
  if (!currentThread.inKernel) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::abort();
  }
  lastStop = why;
  failHere("executor: " + what + ": " + describeCurrentThread() + ": " + message);
}

/// The kernel's function, without the closure that the translator makes of its body.
static std::string kernelName(const std::string& function) {
  return function.substr(0, function.find("::<lambda"));
}

void trap() {
  leaveChecker();
  stop(KernelStop::trap, "trap", "__trap() ended the kernel.");
}

void assertFailed(const char* expression, const char* file, int line, const char* function) {
  leaveChecker();
  stop(KernelStop::assertion,
       "assertion failed",
       place(file, line) + ": " + kernelName(function) + ": Assertion `" + expression + "' failed.");
}

void unsupportedAsm(const char* text) {
  leaveChecker();
  stop(KernelStop::unsupported,
       "not supported",
       std::string("the CPU executor does not run this PTX: ") + text);
}

unsigned laneId() { return laneOfCaller(); }
unsigned warpId() { return rankInBlock() / 32; }
unsigned smId() {
  const unsigned long long row = blockIdx.y + 1ull * gridDim.y * blockIdx.z;
  return static_cast<unsigned>((blockIdx.x + gridDim.x * row) % multiprocessors);
}

}  // namespace nbody::executor
