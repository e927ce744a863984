#include "executor/grid.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "executor/block_scheduler.hpp"
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
  options.patience = fromEnvironment("PATIENCE", options.patience);
  options.checkLaunches = fromEnvironment("CHECK_LAUNCHES", 0);
  options.checkBlocks = fromEnvironment("CHECK_BLOCKS", 0);
  return options;
}

Options& options() {
  static Options theOptions = optionsFromEnvironment();
  return theOptions;
}

std::string wrongShape(const dim3& b, const dim3& t) {
  if (t.x == 0 || t.y == 0 || t.z == 0 || b.x == 0 || b.y == 0 || b.z == 0)
    return "a dimension of the grid or of the block is 0";
  if (product(t) > kMaxThreads || t.x > kMaxThreads || t.y > kMaxThreads || t.z > 64)
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

namespace {

/// The blocks of a grid that is not cooperative. Each OS thread runs one block after another. If all
/// threads of a block wait in loops, it keeps its OS thread, and another OS thread runs in its turn:
/// one that begins a further block, while more can be resident, or one whose block has waited.
class Blocks : public Turns {
 public:
  Blocks(const Grid& grid, std::uint64_t count)
      : grid_(grid), count_(count), change_(++changes()) {}

  /// Runs every block, \p osThreads at the same time. Returns the first error.
  std::exception_ptr run(int osThreads) {
    workers_ = osThreads;
    most_ = std::max<std::uint64_t>(
        osThreads, std::min(grid_.resident, kMaxThreadsAtOnce / product(grid_.threads)));
    WorkerPool::instance().run(osThreads, [this] { work(); });
    return error_;
  }

  Verdict give(bool isQuiet, std::uint64_t most, const std::string& locks) override {
    std::unique_lock lock(mutex_);
    if (!isQuiet || !locks.empty()) locks_ = locks;
    if (failed_) return Verdict::ended;
    if (isStuck(isQuiet)) return Verdict::stuck;
    if (canBegin() && static_cast<std::uint64_t>(workers_) < most) {
      ++workers_;
      change_ = ++changes();
      WorkerPool::instance().add();
    } else if (!passTurn()) {
      return Verdict::goOn;
    }
    Waiting& own = ownWaiting();
    own.hasTurn = false;
    waiting_.push_back(&own);
    const bool isHolder = !locks.empty();
    holders_ += isHolder;
    own.turn.wait(lock, [&] { return own.hasTurn || failed_; });
    holders_ -= isHolder;
    return failed_ ? Verdict::ended : Verdict::goOn;
  }

  std::string describe() const override {
    const std::lock_guard lock(mutex_);
    if (!locks_.empty()) return locks_;
    if (count_ == 1) return "  No other thread changes the memory that these loops read.";
    std::string text = "  ";
    if (workers_ == 2) text += "The other resident block waits too. ";
    if (workers_ > 2)
      text += "The other " + std::to_string(workers_ - 1) + " resident blocks wait too. ";
    if (next_ < count_)
      text += std::to_string(count_ - next_) + " of " + std::to_string(count_) +
              " blocks have not begun, because only " + std::to_string(most_) +
              " are resident at the same time. ";
    return text +
           "CUDA runs all blocks of a grid at the same time only if it is launched with "
           "cudaLaunchCooperativeKernel(), where they wait with cooperative_groups' "
           "this_grid().sync().";
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// An OS thread without a turn.
  struct Waiting {
    std::condition_variable turn;
    bool hasTurn = false;
    std::uint64_t quietSince = 0;  ///< the last change before its block waited in vain
  };
  static Waiting& ownWaiting() {
    static thread_local Waiting own;
    return own;
  }
  /// Returns the number of changes in all grids.
  static std::atomic<std::uint64_t>& changes() {
    static std::atomic<std::uint64_t> all = 0;
    return all;
  }

  bool canBegin() const { return next_ < count_ && workers_ < most_; }

  /// Returns whether all resident blocks have waited in vain since the last change, for long enough.
  bool isStuck(bool isQuiet) {
    if (!isQuiet) change_ = ++changes();
    if (quietOf_ != change_) {
      quietOf_ = change_;
      quiet_ = 0;
      since_ = Clock::now();
    }
    if (std::exchange(ownWaiting().quietSince, quietOf_) != quietOf_) ++quiet_;
    return isQuiet && quiet_ >= workers_ && !canBegin() &&
           Clock::now() - since_ > std::chrono::seconds(options().patience * grid_.patience);
  }

  /// Gives the calling OS thread's turn to the one that has waited longest. Returns false if none
  /// waits.
  bool passTurn() {
    if (waiting_.empty()) return false;
    waiting_.front()->hasTurn = true;
    waiting_.front()->turn.notify_one();
    waiting_.pop_front();
    return true;
  }

  void work() {
    checker::beginWorker();
    for (std::uint64_t k; !failed_ && (k = next_++) < count_;) {
      try {
        // Reverses blocks too, because a kernel that depends on their order is wrong.
        thisScheduler().run(grid_, options().order == Order::reverse ? count_ - 1 - k : k, this);
      } catch (...) {
        end(std::current_exception());
      }
      change_ = ++changes();
    }
    checker::endWorker();
    const std::lock_guard lock(mutex_);
    --workers_;
    passTurn();
  }

  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (failed_.exchange(true)) return;
    error_ = error;
    for (Waiting* one : waiting_) one->turn.notify_one();
  }

  const Grid& grid_;
  const std::uint64_t count_;
  std::uint64_t most_ = 1;  ///< blocks that may be resident
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> change_;  ///< the last change
  mutable std::mutex mutex_;  // guards the following variables
  std::exception_ptr error_;
  std::string locks_;  ///< what a report says of threads that hold locks
  std::uint64_t workers_ = 0;  ///< OS threads that take part
  std::deque<Waiting*> waiting_;
  std::uint64_t quietOf_ = 0,
                quiet_ = 0;  ///< OS threads whose blocks wait in vain since that change
  Clock::time_point since_;
};

}  // namespace

void runGrid(const Grid& grid) {
  const std::uint64_t blocks = product(grid.blocks);
  check(grid, blocks);
  int osThreads = threadCount(options().osThreads);
  osThreads = static_cast<int>(std::min<std::uint64_t>(osThreads, blocks));
  checker::beginGrid(grid, osThreads);
  const std::exception_ptr error = grid.cooperative ? runCooperative(grid, blocks, osThreads)
                                                    : Blocks(grid, blocks).run(osThreads);
  checker::endGrid(grid, error);
  if (error) std::rethrow_exception(error);
}

}  // namespace nbody::executor
