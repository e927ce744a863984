#include "executor/grid.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>

#include "base/parallel.hpp"
#include "executor/block_scheduler.hpp"
#include "executor/checker/asan.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/worker_pool.hpp"

namespace nbody::executor {

static Options optionsFromEnvironment() {
  Options options;
  if (const char* text = std::getenv("NBODY_EXECUTOR_ORDER")) {
    std::string order = text;
    std::size_t colon = order.find(':');
    if (colon != std::string::npos) options.seed = std::strtoull(text + colon + 1, nullptr, 10);
    order.resize(std::min(order.size(), colon));
    if (order == "reverse") options.order = Order::reverse;
    else if (order == "random") options.order = Order::random;
    else if (order != "forward")
      runtime::refuse("NBODY_EXECUTOR_ORDER must be forward, reverse or random[:SEED], not '" +
                      order + "'");
  }
  // With a fixed order of blocks, reports name the same threads in every run.
  options.osThreads = fromEnvironment("THREADS", checker::kOn ? 1 : 0);
  options.checkLaunches = fromEnvironment("CHECK_LAUNCHES", 0);
  options.checkBlocks = fromEnvironment("CHECK_BLOCKS", 0);
  return options;
}

Options& options() {
  static Options theOptions = optionsFromEnvironment();
  return theOptions;
}

constexpr bool kOneOsThread = asan::kOn;  // under ASan shared memory is static, so it exists once

std::string wrongShape(const dim3& b, const dim3& t) {
  if (t.x == 0 || t.y == 0 || t.z == 0 || b.x == 0 || b.y == 0 || b.z == 0)
    return "a dimension of the grid or of the block is 0";
  if (std::uint64_t{t.x} * t.y * t.z > kMaxThreads || t.x > kMaxThreads || t.y > kMaxThreads ||
      t.z > 64)
    return "a block may have at most 1024 threads (at most 64 in z), but this launch asks for " +
           triple(t);
  if (b.x > 0x7fffffffu || b.y > 65535 || b.z > 65535)
    return "a grid may have at most 2147483647 x 65535 x 65535 blocks, but this launch asks for " +
           triple(b);
  return "";
}

/// Throws KernelError if a GPU would refuse the launch, or the executor cannot run it.
static void check(const Grid& grid, std::uint64_t blocks) {
  std::string wrong = wrongShape(grid.blocks, grid.threads);
  if (wrong.empty() && grid.sharedBytes > grid.sharedLimit)
    wrong = "a block may have at most " + std::to_string(grid.sharedLimit) +
            " bytes of dynamic shared memory, but this launch asks for " +
            std::to_string(grid.sharedBytes);
  if (wrong.empty() && grid.cooperative) wrong = whyNotCooperative(grid, blocks);
  if (!wrong.empty())
    throw KernelError("executor: invalid launch at " + place(grid.file, grid.line) + ": " + wrong +
                      ".");
}

/// Runs every block, on several OS threads at the same time. Returns the first error.
static std::exception_ptr runBlocks(const Grid& grid, std::uint64_t blocks, int osThreads) {
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr error;
  std::mutex errorMutex;

  auto takeBlocks = [&] {
    checker::beginWorker();
    for (std::uint64_t k; !failed && (k = next++) < blocks;) {
      try {
        // Reverses blocks too, because a kernel that depends on their order is wrong.
        thisScheduler().run(grid, options().order == Order::reverse ? blocks - 1 - k : k);
      } catch (...) {
        std::lock_guard lock(errorMutex);
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
    checker::endWorker();
  };
  WorkerPool::instance().run(osThreads, takeBlocks);
  return error;
}

void runGrid(const Grid& grid) {
  const std::uint64_t blocks = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  check(grid, blocks);
  int osThreads = kOneOsThread ? 1 : threadCount(options().osThreads);
  osThreads = static_cast<int>(std::min<std::uint64_t>(osThreads, blocks));
  checker::beginGrid(grid, osThreads);
  const std::exception_ptr error = grid.cooperative ? runCooperative(grid, blocks, osThreads)
                                                    : runBlocks(grid, blocks, osThreads);
  checker::endGrid(grid, error);
  if (error) std::rethrow_exception(error);
}

}  // namespace nbody::executor
