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

/// Ends the kernel, and says which thread did what \p before and \p after its name tell. In host
/// code, ends the process with \p ofHost.
[[noreturn]] static void stop(KernelStop why, const std::string& ofHost, const std::string& before,
                              const std::string& after) {
  if (!currentThread.inKernel) {
    std::fprintf(stderr, "%s\n", ofHost.c_str());
    std::abort();
  }
  lastStop = why;
  failHere("executor: " + before + describeCurrentThread() + after);
}

/// The kernel's function, without the closure that the translator makes of its body.
static std::string kernelName(const std::string& function) {
  return function.substr(0, function.find("::<lambda"));
}

void trap() {
  leaveChecker();
  stop(KernelStop::trap, "__trap() ended the program.",
       "trap: ", " called __trap(), which ended the kernel.");
}

void assertFailed(const char* expression, const char* file, int line, const char* function) {
  leaveChecker();
  const std::string where = place(file, line), name = kernelName(function);
  stop(KernelStop::assertion, where + ": " + name + ": Assertion `" + expression + "' failed.",
       std::string("assertion failed: '") + expression + "' is false in ",
       ", in " + name + " at " + where + ".");
}

void unsupportedAsm(const char* text) {
  leaveChecker();
  const std::string ptx = std::string("this PTX, which the CPU executor does not know: ") + text;
  stop(KernelStop::unsupported, "not supported: host code runs " + ptx,
       "not supported: ", " runs " + ptx);
}

unsigned laneId() { return laneOfCaller(); }
unsigned warpId() { return rankInBlock() / 32; }
unsigned smId() {
  const unsigned long long row = blockIdx.y + 1ull * gridDim.y * blockIdx.z;
  return static_cast<unsigned>((blockIdx.x + gridDim.x * row) % multiprocessors);
}

}  // namespace nbody::executor
