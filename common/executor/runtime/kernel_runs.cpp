// Kernels run, and those that they launch.
#include <mutex>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_errors.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

/// Kernels that kernels have launched, which run when those have ended.
struct Children {
  std::mutex mutex;
  std::vector<std::pair<Launch, BoundKernel>> list;
};
Children& children() {
  static auto& theChildren = *new Children;
  return theChildren;
}

}  // namespace

/// The kernel that runs, and the line that launched it.
static std::pair<const Kernel*, Caller> running;

std::string runningKernel() {
  const auto& [kernel, caller] = running;
  if (kernel == nullptr) return "";
  return std::string("kernel '") + kernel->name + "', launched at " + runtime::place(caller);
}

void runAfterParent(const Launch& launch, const BoundKernel& kernel) {
  const std::lock_guard lock(children().mutex);
  children().list.emplace_back(launch, kernel);
}

static void runChildren() {
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

void runKernel(const Launch& launch, const BoundKernel& kernel) {
  if (stickyError() != cudaSuccess) return;
  openMemory();
  checker::setArguments(kernel.body.closure.get(), kernel.body.bytes);
  Grid grid{launch.grid,        launch.block,          launch.sharedBytes,       launch.caller.file,
            launch.caller.line, kernel.body.runThread, kernel.body.closure.get()};
  grid.cooperative = launch.cooperative;
  grid.sharedLimit = model().sharedPerBlockOptIn;
  if (!runtimeSettings().reportsFail) options().printReports = false;
  running = {kernel.kernel, launch.caller};
  try {
    runGrid(grid);
  } catch (const KernelError& error) {
    kernelFailed(error);
  }
  running.first = nullptr;
  runChildren();
}

}  // namespace nbody::executor::runtime
