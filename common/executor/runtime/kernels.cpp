#include "executor/runtime/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/language/device_functions.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

using namespace runtime;

namespace {

thread_local Configure* latest = nullptr;
thread_local Kernel** described = nullptr;  ///< place for the called kernel

struct BoundKernel {
  Kernel* kernel;
  Body body;
};

constexpr int kRegistersPerThread = 32;  // assumed, enough for full occupancy

std::map<const void*, KernelCalls>& kernels() {
  static auto& theKernels = *new std::map<const void*, KernelCalls>;
  return theKernels;
}

/// Kernels that kernels have launched, which run when those have ended.
struct Children {
  std::mutex mutex;
  std::vector<std::pair<Launch, BoundKernel>> list;
};
Children& children() {
  static auto& theChildren = *new Children;
  return theChildren;
}

LaunchedKernel running;
auto& runs =
    *new std::map<const Kernel*, std::uint64_t>;  // used at the very end of the program too

void runKernel(const Launch& launch, const BoundKernel& kernel);

void runChildren() {
  for (;;) {
    std::unique_lock lock(children().mutex);
    const auto list = std::exchange(children().list, {});
    lock.unlock();
    if (list.empty()) return;
    for (const bool isTail : {false, true})  // a tail launch waits for all others, and theirs
      for (const auto& [launch, kernel] : list)
        if ((launch.stream == cudaStreamTailLaunch) == isTail) runKernel(launch, kernel);
  }
}

/// Runs a kernel, and those that it launches. A failure becomes the device's sticky error.
void runKernel(const Launch& launch, const BoundKernel& kernel) {
  if (stickyError() != cudaSuccess) return;
  openMemory();
  checker::setArguments(kernel.body.closure.get(), kernel.body.bytes);
  checker::setParameters(kernel.body.pointers);
  Grid grid{launch.grid,        launch.block,          launch.sharedBytes,       launch.caller.file,
            launch.caller.line, kernel.body.runThread, kernel.body.closure.get()};
  grid.cooperative = launch.cooperative;
  grid.sharedLimit = model().sharedPerBlockOptIn;
  computeCapability = 10 * model().major + model().minor;
  multiprocessors = static_cast<unsigned>(runtimeSettings().multiprocessors);
  const auto threads = static_cast<int>(product(grid.threads));
  grid.resident = std::uint64_t(runtimeSettings().multiprocessors) *
                  std::max(1, activeBlocksOf(*kernel.kernel, threads, grid.sharedBytes));
  if (worksByItself()) grid.patience = 10;  // the host may still change what a kernel waits for
  if (!runtimeSettings().reportsFail || runtimeSettings().collectReports)
    options().printReports = false;
  running = {kernel.kernel, launch.caller, processorSeconds()};
  ++runs[kernel.kernel];
  try {
    runGrid(grid);
  } catch (const KernelError& error) {
    kernelFailed(error);
  }
  running.kernel = nullptr;
  runChildren();
}

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

void* describedDynamicShared(std::size_t elementBytes, Caller caller) {
  checker::describeDynamicShared(elementBytes, caller.file, caller.line);
  return dynamicSharedBytes();
}

/// Queues the body with the configuration \p launch.
static void enqueue(const Launch* launch, Kernel& kernel, Body body) {
  const BoundKernel work{&kernel, std::move(body)};
  if (launch == nullptr) {
    calledWithoutLaunch(kernel);
    return;
  }
  if (currentThread.inKernel) {
    if (passesPrivate(*launch, kernel, work.body)) return;
    const std::lock_guard lock(children().mutex);
    children().list.emplace_back(*launch, work);
    return;
  }
  const ApiCall call;
  countWork();
  if (result() != cudaSuccess || !isLaunchable(*launch, kernel)) return;  // sticky ones come first
  if (isOwnProgram()) checkArguments(*launch, kernel, work.body);
  enqueueOperation(launch->stream, std::string("kernel ") + kernel.name, launch->caller,
                   [launch = *launch, work] { runKernel(launch, work); },
                   {{}, work.body.closure, work.body.bytes});
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

void queueKernel(Kernel& kernel, const ClosureType& type, const void* closure,
                 std::initializer_list<Parameter> pointers) {
  if (described != nullptr) {
    *described = &kernel;
    return;
  }
  const Launch* const launch = Configure::take();
  Body body = {copied(type, closure), type.bytes, type.runThread};
  if (checker::kOn) body.pointers = pointers;
  enqueue(launch, kernel, std::move(body));
  if (currentThread.inKernel) checker::resumeThread();
}

alignas(64) const unsigned char kZeros[32768] = {};

/// Returns facts about the kernel at an address; null if there is no kernel.
static Kernel* kernelAt(const void* address) {
  const auto position = kernels().find(address);
  if (position == kernels().end()) return nullptr;
  Kernel* kernel = nullptr;
  described = &kernel;
  position->second.withZeros(address);
  described = nullptr;
  return kernel;
}

/// Returns the threads that a block of the kernel may have.
static int mostThreadsOf(const Kernel& kernel) {
  return kernel.mostThreads > 0 ? static_cast<int>(kernel.mostThreads) : kMostThreads;
}

namespace runtime {

const std::map<const Kernel*, std::uint64_t>& kernelRuns() { return runs; }

LaunchedKernel runningKernel() { return running; }

double processorSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int activeBlocksOf(const Kernel& kernel, int threads, std::size_t sharedBytes) {
  const DeviceModel& m = model();
  if (threads <= 0 || threads > kMostThreads || sharedBytes > dynamicLimitOf(kernel)) return 0;
  const int rounded = (threads + 31) / 32 * 32;
  const int blocks = std::min({m.blocksPerMultiprocessor, m.threadsPerMultiprocessor / rounded,
                               kRegistersPerMultiprocessor / (kRegistersPerThread * rounded)});
  const std::size_t shared = sharedBytes + staticSharedBytes(kernel);
  if (shared == 0) return blocks;
  const std::size_t most = m.sharedPerMultiprocessor / (shared + m.reservedSharedPerBlock);
  return std::min(blocks, static_cast<int>(most));
}

}  // namespace runtime

const void* registerKernel(const void* kernel, KernelCalls calls) {
  const ApiCall call;
  kernels()[kernel] = calls;
  return kernel;
}

cudaError_t launchByAddress(const void* kernel, void** arguments, const Launch& launch) {
  const auto position = kernels().find(kernel);
  if (position == kernels().end()) return result(cudaErrorInvalidDeviceFunction);
  const cudaError_t before = cudaPeekAtLastError();
  Configure configuration(launch);
  configuration.at();
  position->second.withArguments(kernel, arguments);
  return errorOfLaunch(before);
}

cudaError_t errorOfLaunch(cudaError_t before) {
  const cudaError_t now = cudaPeekAtLastError();
  return now != before ? now : stickyError();
}

LaunchConfiguration::LaunchConfiguration(const cudaLaunchConfig_t* config, Caller caller)
    : launch{config->gridDim, config->blockDim, config->dynamicSmemBytes,
             config->stream,  caller,           false} {
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeCooperative)
      launch.cooperative = config->attrs[i].val.cooperative != 0;
}

cudaError_t attributesOf(cudaFuncAttributes* attributes, const void* address) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = staticSharedBytes(*kernel);
  attributes->maxThreadsPerBlock = mostThreadsOf(*kernel);
  attributes->numRegs = kRegistersPerThread;
  attributes->ptxVersion = attributes->binaryVersion = model().major * 10 + model().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamicLimitOf(*kernel));
  return result();
}

cudaError_t setAttribute(const void* address, cudaFuncAttribute attribute, int value) {
  const ApiCall call;
  Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return result();
  const std::size_t most = model().sharedPerBlockOptIn;
  if (value < 0 || value + staticSharedBytes(*kernel) > most) return result(cudaErrorInvalidValue);
  kernel->dynamicLimit = value;
  return result();
}

cudaError_t activeBlocks(int* blocks, const void* address, int threads, std::size_t sharedBytes) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (threads <= 0) return result(cudaErrorInvalidValue);
  *blocks = activeBlocksOf(*kernel, threads, sharedBytes);
  return result();
}

cudaError_t availableShared(std::size_t* bytes, const void* address, int blocks, int threads) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (blocks <= 0 || activeBlocksOf(*kernel, threads, 0) < blocks)
    return result(cudaErrorInvalidValue);
  const DeviceModel& m = model();
  const std::size_t share = m.sharedPerMultiprocessor / blocks / 128 * 128;
  const std::size_t taken = staticSharedBytes(*kernel) + m.reservedSharedPerBlock;
  *bytes = std::min(share - std::min(share, taken), dynamicLimitOf(*kernel));
  return result();
}

cudaError_t bestBlock(int* blocks, int* threads, const void* address,
                      std::size_t (*sharedBytes)(const void* data, int threads), const void* data,
                      int mostThreads) {
  const ApiCall call;
  const Kernel* kernel = kernelAt(address);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  const int limit = mostThreadsOf(*kernel);
  int best = 0;
  for (int size = mostThreads > 0 ? std::min(mostThreads, limit) : limit; size > 0;
       size = (size - 1) / 32 * 32) {
    const int active = activeBlocksOf(*kernel, size, sharedBytes(data, size));
    if (active * size <= best) continue;
    best = active * size;
    *threads = size;
    *blocks = active * runtimeSettings().multiprocessors;
  }
  return result(best > 0 ? cudaSuccess : cudaErrorInvalidConfiguration);
}

}  // namespace nbody::executor
