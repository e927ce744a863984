// Launches: configured, checked and queued.
#include "executor/runtime/kernels.hpp"

#include <cstring>

#include "executor/checker/checker.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/early_access.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_errors.hpp"
#include "executor/runtime/launch_checks.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

namespace {

thread_local Configure* latest = nullptr;
thread_local Kernel** described = nullptr;  ///< where a kernel that is called leaves itself

}  // namespace

void Configure::at(Caller caller) {
  if (currentThread.inKernel) checker::leaveThread();  // until the launch is queued
  if (launch_.caller.line == 0) launch_.caller = caller;
  before_ = latest;
  latest = this;
  isWaiting_ = true;
}

Configure::~Configure() {
  if (isWaiting_) latest = before_;
}

const Launch* Configure::take() {
  Configure* configuration = latest;
  if (configuration == nullptr) return nullptr;
  latest = configuration->before_;
  configuration->isWaiting_ = false;
  return &configuration->launch_;
}

void* describedDynamicShared(std::size_t elementBytes, const char* name, Caller caller) {
  (void)name;
  checker::describeDynamicShared(elementBytes, caller.file, caller.line);
  return dynamicSharedBytes();
}

namespace runtime {

Kernel& describeKernel(const void* address, void (*withZeros)(const void* kernel)) {
  Kernel* kernel = nullptr;
  described = &kernel;
  withZeros(address);
  described = nullptr;
  return *kernel;
}

}  // namespace runtime

/// Queues the body as \p launch says.
static void enqueue(const Launch* launch, Kernel& kernel, Body body) {
  using namespace runtime;
  const BoundKernel work{&kernel, std::move(body)};
  if (launch == nullptr) {
    calledWithoutLaunch(kernel);
    return;
  }
  if (currentThread.inKernel) {
    runAfterParent(*launch, work);
    return;
  }
  const ApiCall call;
  countWork();
  if (result() != cudaSuccess || !isLaunchable(*launch, kernel)) return;  // the first is sticky
  if (isOwnProgram()) checkArguments(*launch, kernel, work.body);
  const OperationPointer operation =
      enqueueOperation(launch->stream, std::string("kernel ") + kernel.name, launch->caller,
                       [launch = *launch, work] { runKernel(launch, work); });
  if (operation->isDone) return;
  operation->arguments = work.body.closure;
  operation->argumentBytes = work.body.bytes;
  closeMapped(*operation);
  startProgress();
}

static std::shared_ptr<const void> copied(const ClosureType& type, const void* closure) {
  void* const own = ::operator new(type.bytes, type.alignment);
  if (type.copy == nullptr) std::memcpy(own, closure, type.bytes);
  else type.copy(own, closure);
  return {own, [end = type.end, alignment = type.alignment](void* kept) {
            if (end != nullptr) end(kept);
            ::operator delete(kept, alignment);
          }};
}

void queueKernel(Kernel& kernel, const ClosureType& type, const void* closure) {
  if (described != nullptr) {
    *described = &kernel;
    return;
  }
  const Launch* const launch = Configure::take();
  enqueue(launch, kernel, {copied(type, closure), type.bytes, type.runThread});
  if (currentThread.inKernel) checker::resumeThread();
}

}  // namespace nbody::executor
