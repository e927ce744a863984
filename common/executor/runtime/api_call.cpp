#include "executor/runtime/api_call.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
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
  std::string mistake;  ///< see setUnseen()
  long work;  ///< value of the counter when it happened
  bool isNoted;  ///< see Seen
};
/// A mistake whose error the program has looked at.
struct Seen {
  std::string text;
  bool isNoted;  ///< it gets a note if the program ends well: not a launch, which programs may try
};
struct State {
  std::mutex mutex;
  cudaError_t sticky = cudaSuccess;
  std::exception_ptr reason;
  std::vector<Unseen> unseen;
  std::vector<Seen> seen;
  long work = 0;  ///< number of calls so far that start work
};
State& state() {
  static auto& theState = *new State;
  return theState;
}
thread_local cudaError_t lastError = cudaSuccess;
/// Facts about the calling thread's last error that a call returned.
struct LastCall {
  cudaError_t error = cudaSuccess;
  const char* why = "";
  std::string mistake = "";  ///< of refused()
  bool isReported = false;
};
thread_local LastCall lastCall;

std::string textOf(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

/// Marks errors of the last call as seen, because the program asks for its last error.
void lookAtUnseen() {
  reportOverlooked();
  const std::lock_guard lock(state().mutex);
  for (Unseen& unseen : std::exchange(state().unseen, {}))
    if (!unseen.mistake.empty())
      state().seen.push_back({std::move(unseen.mistake), unseen.isNoted});
}

}  // namespace

cudaError_t result(cudaError_t error, const char* why) {
  if (const cudaError_t sticky = stickyError(); sticky != cudaSuccess) error = sticky;
  if (error == cudaSuccess) return error;
  lastCall = {error, why};
  return lastError = error;
}

cudaError_t mistake(cudaError_t error, const std::string& text) {
  report(text);
  error = result(error);
  lastCall.isReported = true;
  return error;
}

cudaError_t refused(cudaError_t error, const std::string& text) {
  error = result(error);
  lastCall.mistake = text;
  const std::lock_guard lock(state().mutex);
  state().seen.push_back({text, true});
  return error;
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
               const std::string& why, const std::string& mistake) {
  const std::string text = "executor: unchecked error: " + what + " at " + place(caller) +
                           " failed with " + textOf(error) +
                           (why.empty() ? "" : ", because " + why) +
                           ".\n  The program went on without checking this error. Check what the "
                           "call returns, or call cudaGetLastError() after it.";
  const std::lock_guard lock(state().mutex);
  if (state().unseen.size() < 8) state().unseen.push_back({text, mistake, state().work, false});
}

/// Moves a mistake of refused() to those whose errors the program has not looked at.
static void setUnseenMistake(const std::string& text) {
  const std::lock_guard lock(state().mutex);
  auto& seen = state().seen;
  if (const auto position = std::ranges::find(seen, text, &Seen::text); position != seen.end())
    seen.erase(position);
  state().unseen.push_back({text, text, state().work, true});
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

void reportUnseen(int status) {
  const std::string begin = "executor: ";
  for (const Unseen& unseen : state().unseen) report(unseen.text);
  for (const auto& [text, isNoted] : state().seen) {
    if (status != 0) report(text);
    else if (isNoted)
      note(begin + "note: " + text.substr(begin.size()) + "\n  The program handles the error.");
  }
}

namespace {

using Clock = std::chrono::steady_clock;

std::recursive_mutex mutex;  // for host threads; held by the thread that runs a kernel
std::recursive_mutex kernelMutex;  // for calls from kernels, on any OS thread
int depth = 0;
Clock::time_point lastCallTime;

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

static thread_local const Caller* hostFunction = nullptr;

HostFunction::HostFunction(const Caller& caller) {
  hostFunction = &caller;
  calls_ = checker::leaveRuntime();
}
HostFunction::~HostFunction() {
  hostFunction = nullptr;
  checker::enterRuntime(calls_);
}

/// Reports a call of CUDA by the host function that a stream runs.
static void reportCallback() {
  report("executor: CUDA call in a host function: the code at " + hostPlace(runningCode()) +
         " calls CUDA, but a stream runs it, because of the " + "call at " + place(*hostFunction) +
         ".\n  Such code must not call CUDA: on a GPU the call may fail or wait for ever. Let the "
         "program wait for the stream, and call CUDA then.");
}

ApiCall::ApiCall(bool isPrograms) : isInKernel_(currentThread.inKernel) {
  if (isInKernel_) {
    checker::leaveThread();  // work of the runtime is not the kernel's
    kernelMutex.lock();
    return;
  }
  checker::enterRuntime(1);
  mutex.lock();
  ++depth;
  if (isPrograms) lastCallTime = Clock::now();
  prepare();
  if (isPrograms && hostFunction != nullptr) reportCallback();
}

ApiCall::~ApiCall() {
  if (isInKernel_) {
    kernelMutex.unlock();
    checker::resumeThread();
    return;
  }
  if (--depth == 0) closeMemory(!hasPending());
  mutex.unlock();
  checker::enterRuntime(-1);
}

void ApiCall::whenIdle(std::chrono::milliseconds time, void (*work)()) {
  if (!mutex.try_lock()) return;
  if (depth == 0 && hasPending() && Clock::now() - lastCallTime > time) {
    const ApiCall call(false);
    work();
  }
  mutex.unlock();
}

void closeBeforeMain() { const ApiCall call; }

}  // namespace nbody::executor::runtime

namespace nbody::executor {

cudaError_t ignored(cudaError_t error, const char* name, Caller caller) {
  if (error == cudaSuccess) return error;
  const runtime::ApiCall ofRuntime(false);
  const runtime::LastCall call = std::exchange(runtime::lastCall, {});
  const bool isAnswer = error == cudaErrorNotReady && std::string_view(name).ends_with("Query");
  if (isAnswer || error == runtime::stickyError()) return error;
  if (call.error != error) {
    runtime::setUnseen(error, std::string(name) + "()", caller);
  } else if (!call.mistake.empty()) {
    runtime::setUnseenMistake(call.mistake);
  } else if (!call.isReported) {
    runtime::setUnseen(error, std::string(name) + "()", caller, call.why);
  }
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
