#include "executor/runtime/api_call.hpp"

#include <mutex>

#include "executor/checker/checker.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/faults.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/program_end.hpp"
#include "executor/runtime/stray_names.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

using Clock = std::chrono::steady_clock;

std::recursive_mutex mutex;  // of host threads; the one that runs a kernel holds it
std::recursive_mutex kernelMutex;  // of calls that kernels make, on any OS thread
int depth = 0;
Clock::time_point lastCall;

/// Once, at the first call.
void prepare() {
  static const bool isDone = [] {
    catchFaults();
    watchProgramEnd();
    adoptSymbols();
    checker::setStrayNames(nameOfStray);
    return true;
  }();
  (void)isDone;
}

}  // namespace

ApiCall::ApiCall() : isInKernel_(currentThread.inKernel) {
  if (isInKernel_) {
    checker::leaveThread();  // what the runtime does is not the kernel's
    kernelMutex.lock();
    return;
  }
  mutex.lock();
  ++depth;
  lastCall = Clock::now();
  prepare();
}

ApiCall::~ApiCall() {
  if (isInKernel_) {
    kernelMutex.unlock();
    checker::resumeThread();
    return;
  }
  if (--depth == 0) closeMemory(!hasPending());
  mutex.unlock();
}

void ApiCall::whenIdle(std::chrono::milliseconds time, void (*work)()) {
  if (!mutex.try_lock()) return;
  if (depth == 0 && hasPending() && Clock::now() - lastCall > time) {
    const ApiCall call;
    work();
  }
  mutex.unlock();
}

void closeBeforeMain() { const ApiCall call; }

}  // namespace nbody::executor::runtime
