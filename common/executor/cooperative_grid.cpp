#include "executor/cooperative_grid.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "executor/block_scheduler.hpp"
#include "executor/checker/asan.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

namespace {

// Each has a stack of its own at the same time; Linux allows a process 65,530 mappings.
constexpr std::uint64_t kMaxThreadsAtOnce = 16384;

/// The program's static shared memory, of which an OS thread has one: copied out and in as blocks
/// take turns.
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

struct OwnSchedulerAgain {
  ~OwnSchedulerAgain() { useScheduler(nullptr); }
};

void checkCanRun(const Grid& grid, std::uint64_t blocks) {
  const std::uint64_t threads =
      blocks * grid.threads.x * grid.threads.y * std::uint64_t{grid.threads.z};
  std::string why;
  if (threads > kMaxThreadsAtOnce)
    why = "a cooperative launch has at most " + std::to_string(kMaxThreadsAtOnce) +
          " threads on the CPU executor, not " + std::to_string(threads);
  else if (asan::kOn && blocks > 1)
    why =
        "under ASan a cooperative launch has one block only, as there is one of each __shared__ "
        "array";
  else if (checker::program().functions.empty())
    why = "a cooperative launch needs the program's symbols, which have been stripped";
  if (!why.empty())
    throw KernelError("executor: invalid launch: at " + place(grid.file, grid.line) + ": " + why +
                      ".");
}

/// Lets each block run until it waits for the grid or has returned; returns how many wait.
std::uint64_t runPhase(const Grid& grid, std::vector<Block>& blocks, bool first) {
  std::uint64_t waiting = 0;
  for (std::uint64_t k = 0; k < blocks.size(); ++k) {
    const std::uint64_t number = options().order == Order::reverse ? blocks.size() - 1 - k : k;
    Block& block = blocks[number];
    useScheduler(block.scheduler.get());
    if (first) {
      block.scheduler->run(grid, number);
    } else {
      block.shared.restore();
      block.scheduler->resume();
    }
    if (!block.scheduler->waitsForGrid()) continue;
    block.shared.save();
    ++waiting;
  }
  return waiting;
}

void runPhases(const Grid& grid, std::vector<Block>& blocks) {
  const OwnSchedulerAgain atEnd;
  std::uint64_t waiting = runPhase(grid, blocks, true);
  for (; waiting == blocks.size(); waiting = runPhase(grid, blocks, false))
    checker::passGridBarrier();
  if (waiting == 0) return;
  for (const Block& block : blocks)
    if (block.scheduler->waitsForGrid())
      throw KernelError("executor: divergent grid barrier: " + std::to_string(waiting) +
                        " blocks wait at " + at(block.scheduler->gridSite()) + ", " +
                        std::to_string(blocks.size() - waiting) +
                        " have returned.\n  Every thread of the grid must reach it.\n  (kernel "
                        "launched at " +
                        place(grid.file, grid.line) + ")");
}

}  // namespace

std::exception_ptr runCooperative(const Grid& grid) {
  const std::uint64_t count = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  std::exception_ptr error;
  checker::beginWorker();
  try {
    checkCanRun(grid, count);
    std::vector<Block> blocks(count);
    runPhases(grid, blocks);
  } catch (...) {
    error = std::current_exception();
  }
  checker::endWorker();
  return error;
}

}  // namespace nbody::executor
