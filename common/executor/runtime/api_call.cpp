#include "executor/runtime/api_call.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/checker/locate.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/launch.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/source_names.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

struct Unseen {
  std::string text;
  long work;  ///< value of the counter when it happened
};
struct State {
  std::mutex mutex;
  cudaError_t sticky = cudaSuccess;
  std::exception_ptr reason;
  std::vector<Unseen> unseen;
  long work = 0;  ///< number of calls so far that start work
};
State& state() {
  static auto& theState = *new State;
  return theState;
}
thread_local cudaError_t lastError = cudaSuccess;
thread_local cudaError_t namedError = cudaSuccess;  ///< the last call's, which has been reported

std::string textOf(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

/// Marks errors of the last call as seen, because the program asks for its last error.
void lookAtUnseen() {
  reportOverlooked();
  const std::lock_guard lock(state().mutex);
  state().unseen.clear();
}

}  // namespace

cudaError_t result(cudaError_t error) {
  if (const cudaError_t sticky = stickyError(); sticky != cudaSuccess) error = sticky;
  if (error != cudaSuccess) lastError = error;
  return error;
}

cudaError_t mistake(cudaError_t error, const std::string& text) {
  report(text);
  namedError = error;
  return result(error);
}

cudaError_t stickyError() {
  const std::lock_guard lock(state().mutex);
  return state().sticky;
}

void setSticky(cudaError_t error, std::exception_ptr reason) {
  lastError = error;
  const std::lock_guard lock(state().mutex);
  state().sticky = error;
  state().reason = std::move(reason);
}

void setReason(std::exception_ptr reason) {
  const std::lock_guard lock(state().mutex);
  state().reason = std::move(reason);
}

void clearSticky() { setSticky(cudaSuccess, nullptr); }

void countWork() {
  const std::lock_guard lock(state().mutex);
  ++state().work;
}

cudaError_t failureAskedFor(const std::string& what, const Caller& caller) {
  static int calls = 0;
  if (currentThread.inKernel || runtimeSettings().fail == 0 || ++calls != runtimeSettings().fail)
    return cudaSuccess;
  note("executor: made to fail: " + what + " at " + place(caller) +
       ", as NBODY_EXECUTOR_FAIL=" + std::to_string(calls) + " asks");
  return cudaErrorUnknown;
}

void setUnseen(cudaError_t error, const std::string& what, const Caller& caller,
               const std::string& why) {
  const std::lock_guard lock(state().mutex);
  if (state().unseen.size() < 8)
    state().unseen.push_back({"executor: unchecked error: " + what + " at " + place(caller) +
                                  " failed with " + textOf(error) +
                                  (why.empty() ? "" : ", because " + why) +
                                  ".\n  The program went on without checking this error. Check "
                                  "what the call returns, or call "
                                  "cudaGetLastError() after it.",
                              state().work});
}

void reportOverlooked() {
  std::vector<Unseen> late;
  {
    const std::lock_guard lock(state().mutex);
    const auto isLate = [](const Unseen& u) { return u.work < state().work; };
    std::ranges::copy_if(state().unseen, std::back_inserter(late), isLate);
    std::erase_if(state().unseen, isLate);
  }
  for (const Unseen& unseen : late) report(unseen.text);
}

void reportUnseen() {
  for (const Unseen& unseen : state().unseen) report(unseen.text);
}

namespace {

using Clock = std::chrono::steady_clock;

std::recursive_mutex mutex;  // for host threads; held by the thread that runs a kernel
std::recursive_mutex kernelMutex;  // for calls from kernels, on any OS thread
int depth = 0;
Clock::time_point lastCall;

bool isMapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char isResident = 0;
  void* const begin =
      reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) / page * page);
  return mincore(begin, 1, &isResident) == 0;
}

/// Describes an address that no kernel may use: "freed device memory 'd_x' ...", "a null pointer".
std::string nameOfStray(const void* address) {
  constexpr std::uintptr_t kFirstPages = 65536;  // indices from a null pointer
  if (reinterpret_cast<std::uintptr_t>(address) < kFirstPages) return "a null pointer";
  if (const Allocation* a = allocationOnce(address); a != nullptr && a->isFreed)
    return "freed " + describe(*a) + whenFreed(*a);
  if (isDeviceAddress(address)) return "device memory outside all arrays";
  if (!isMapped(address)) return "an address at which there is no memory";
  const HeapBlock block = findHeapBlock != nullptr ? findHeapBlock(address) : HeapBlock{};
  if (block.begin == nullptr) return checker::kUnknownOrigin;
  return "a host array of " + std::to_string(block.bytes) + " bytes" +
         atKnown(", allocated at ", place(Caller(block.caller)));
}

/// Prepares the runtime at the first call.
void prepare() {
  static const bool isDone = [] {
    catchFaults();
    watchProgramEnd();
    if constexpr (checker::kOn) checker::addDeviceVariables();
    checker::setStrayNames(nameOfStray);
    return true;
  }();
  (void)isDone;
}

}  // namespace

ApiCall::ApiCall() : isInKernel_(currentThread.inKernel) {
  if (isInKernel_) {
    checker::leaveThread();  // work of the runtime is not the kernel's
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

namespace nbody::executor {

cudaError_t ignored(cudaError_t error, Caller caller) {
  const bool isNamed = std::exchange(runtime::namedError, cudaSuccess) == error;
  if (error != cudaSuccess && error != cudaErrorNotReady && !isNamed &&
      error != runtime::stickyError())
    runtime::setUnseen(error, runtime::nameOfCall(caller), caller);
  return error;
}

std::exception_ptr takeKernelError() {
  std::exception_ptr reason;
  {
    const std::lock_guard lock(runtime::state().mutex);
    reason = std::exchange(runtime::state().reason, nullptr);
  }
  if (reason) runtime::clearSticky();
  return reason;
}

}  // namespace nbody::executor

using namespace nbody::executor;

cudaError_t cudaGetLastError() {
  runtime::lookAtUnseen();
  return std::exchange(runtime::lastError, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  runtime::lookAtUnseen();
  return runtime::lastError;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define NBODY_NAME(name, number, text) \
  case name:                           \
    return #name;
    NBODY_CUDA_ERRORS(NBODY_NAME)
#undef NBODY_NAME
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define NBODY_TEXT(name, number, text) \
  case name:                           \
    return text;
    NBODY_CUDA_ERRORS(NBODY_TEXT)
#undef NBODY_TEXT
  }
  return "unrecognized error code";
}
