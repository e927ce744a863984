// Launches whose threads may wait for the whole grid.
#include <atomic>
#include <barrier>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/worker_pool.hpp"

namespace nbody::executor {

namespace {

/// The program's static shared memory. An OS thread has it once, so it is copied out and in when
/// blocks take turns.
class StaticShared {
 public:
  void save() {
    bytes_.clear();
    for (const checker::Symbol& symbol : checker::program().staticShared)
      bytes_.insert(bytes_.end(), begin() + symbol.offset, begin() + symbol.offset + symbol.bytes);
  }
  void restore() const {
    std::size_t at = 0;
    for (const checker::Symbol& symbol : checker::program().staticShared) {
      std::memcpy(begin() + symbol.offset, bytes_.data() + at, symbol.bytes);
      at += symbol.bytes;
    }
  }

 private:
  static char* begin() { return checker::threadLocalBegin(); }
  std::vector<char> bytes_;
};

struct Block {
  std::unique_ptr<BlockScheduler> scheduler = std::make_unique<BlockScheduler>();
  StaticShared shared;
};

/// Blocks of the calling OS thread, kept between launches, because allocating a stack per thread
/// costs more than most launches.
std::vector<Block>& ownBlocks(const dim3& threads) {
  static thread_local std::vector<Block> blocks;
  static thread_local std::uint64_t threadsOfEach = 0;
  const std::uint64_t count = product(threads);
  if (std::exchange(threadsOfEach, count) != count) blocks.clear();
  return blocks;
}

/// A cooperative launch. Each of n OS threads runs every n-th block, because no fiber may leave it.
/// All meet at the end of each phase, when all blocks wait for the grid or have returned.
class Launch {
 public:
  Launch(const Grid& grid, std::uint64_t count, int osThreads)
      : grid_(grid), count_(count), osThreads_(osThreads), phase_(osThreads, EndPhase{this}) {}

  /// Runs the blocks of one OS thread.
  void run() {
    checker::beginWorker();
    const std::uint64_t own = nextThread_++;
    std::vector<Block>& blocks = ownBlocks(grid_.threads);
    for (bool first = true; first || goesOn_; first = false) {
      runPhase(blocks, own, first);
      checker::leavePhase();
      phase_.arrive_and_wait();
      checker::enterPhase();
    }
    useScheduler(nullptr);
    if (error_) blocks.clear();  // some may wait for ever
    checker::endWorker();
  }

  std::exception_ptr error() const { return error_; }

 private:
  struct EndPhase {
    Launch* launch;
    void operator()() noexcept { launch->endPhase(); }
  };

  void runPhase(std::vector<Block>& blocks, std::uint64_t own, bool first) {
    try {
      if (first) blocks.resize((count_ - own + osThreads_ - 1) / osThreads_);
      for (std::uint64_t k = 0; k < blocks.size() && !failed_; ++k)
        runBlock(blocks[k], own + k * osThreads_, first);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  /// Runs a block until it waits for the grid or has returned.
  void runBlock(Block& block, std::uint64_t k, bool first) {
    useScheduler(block.scheduler.get());
    if (first) {
      block.scheduler->run(grid_, options().order == Order::reverse ? count_ - 1 - k : k);
    } else {
      block.shared.restore();
      block.scheduler->resume();
    }
    if (!block.scheduler->waitsForGrid()) return;
    block.shared.save();
    const std::lock_guard lock(mutex_);
    if (waiting_++ == 0) site_ = block.scheduler->gridSite();
  }

  /// The last OS thread to arrive ends the phase for all.
  void endPhase() {
    goesOn_ = !failed_ && waiting_ == count_;
    if (goesOn_) checker::passGridBarrier();
    else if (!failed_ && waiting_ != 0) error_ = divergentBarrier();
    waiting_ = 0;
  }

  /// Returns "1 block waits", "2 blocks wait".
  static std::string inWords(std::uint64_t blocks, const char* one, const char* several) {
    return std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") +
           (blocks == 1 ? one : several);
  }

  std::exception_ptr divergentBarrier() const {
    return std::make_exception_ptr(
        KernelError("executor: divergent grid barrier: " + inWords(waiting_, " waits", " wait") +
                    " at " + at(site_) + ", but " + inWords(count_ - waiting_, " has", " have") +
                    " returned.\n  Every thread of the grid must reach this barrier.\n  (kernel "
                    "launched at " +
                    place(grid_.file, grid_.line) + ")"));
  }

  const Grid& grid_;
  const std::uint64_t count_;  ///< number of blocks
  const std::uint64_t osThreads_;
  std::atomic<std::uint64_t> nextThread_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the following variables while a phase runs
  std::uint64_t waiting_ = 0;  ///< blocks that wait
  Site site_{};  ///< line where one of them waits
  std::exception_ptr error_;
  bool goesOn_ = false;
  std::barrier<EndPhase> phase_;
};

}  // namespace

std::string whyNotCooperative(const Grid& grid, std::uint64_t blocks) {
  const std::uint64_t threads = blocks * product(grid.threads);
  if (threads > kMaxThreadsAtOnce)
    return "a cooperative launch may have at most " + std::to_string(kMaxThreadsAtOnce) +
           " threads on the CPU executor, not " + std::to_string(threads);
  if (checker::program().functions.empty())
    return "a cooperative launch needs the program's symbols, which have been stripped";
  return "";
}

std::exception_ptr runCooperative(const Grid& grid, std::uint64_t blocks, int osThreads) {
  Launch launch(grid, blocks, osThreads);
  WorkerPool::instance().run(osThreads, [&] { launch.run(); });
  return launch.error();
}

}  // namespace nbody::executor
