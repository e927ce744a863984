#include "executor/runtime/api_call.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "executor/checker/checker.hpp"
#include "executor/checker/locate.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

using Clock = std::chrono::steady_clock;

std::recursive_mutex mutex;  // of host threads; the one that runs a kernel holds it
std::recursive_mutex kernelMutex;  // of calls that kernels make, on any OS thread
int depth = 0;
Clock::time_point lastCall;

bool isMapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char isResident = 0;
  void* const begin =
      reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) / page * page);
  return mincore(begin, 1, &isResident) == 0;
}

/// Names an address that no kernel may use: "freed device memory 'd_x' ...", "a null pointer".
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
