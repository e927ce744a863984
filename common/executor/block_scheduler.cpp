// How a block begins and how it ends early, and what is said of it. Never instrumented by a
// sanitizer, as block_fibers.cpp.
#include "executor/block_scheduler.hpp"

#include <algorithm>
#include <numeric>

#include "executor/checker/asan.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

// Bytes around dynamic shared memory that no kernel may touch.
constexpr std::size_t kRedZone = checker::kOn || asan::kOn ? 16 * 1024 : 0;

void* dynamicSharedBytes() { return thisScheduler().dynamicSharedBytes(); }

void* BlockScheduler::dynamicSharedBytes() {
  return reinterpret_cast<char*>(dynamicShared_.data()) + kRedZone;
}

void BlockScheduler::run(const Grid& grid, std::uint64_t block) {
  prepare(grid, block);
  if (Thread* first = takeReady()) switchTo(fiberFor(*first));  // back when all have returned
  if (failed_) throw KernelError(message_);
}

void BlockScheduler::prepare(const Grid& grid, std::uint64_t block) {
  grid_ = &grid;
  dim3 threads = grid.threads;
  count_ = running_ = static_cast<int>(threads.x * threads.y * threads.z);
  atBarrier_ = 0;
  failed_ = false;
  random_.seed(options().seed * 1000003 + block);
  currentThread.block = {static_cast<unsigned>(block % grid.blocks.x),
                         static_cast<unsigned>(block / grid.blocks.x % grid.blocks.y),
                         static_cast<unsigned>(block / grid.blocks.x / grid.blocks.y)};
  currentThread.blockExtent = {threads.x, threads.y, threads.z};
  currentThread.gridExtent = {grid.blocks.x, grid.blocks.y, grid.blocks.z};

  for (int rank = 0; rank < count_; ++rank) {
    unsigned r = static_cast<unsigned>(rank);
    Thread& thread = threads_[rank];
    thread = {};
    thread.index = {r % threads.x, r / threads.x % threads.y, r / threads.x / threads.y};
    thread.rank = rank;
  }
  for (int warp = 0; warp * kWarpSize < count_; ++warp) {
    int lanes = std::min(kWarpSize, count_ - warp * kWarpSize);
    warps_[warp] = {0, lanes == kWarpSize ? 0u : ~0u << lanes};
  }
  // NaN as float, so that a read before any write shows in the result.
  asan::allow(dynamicShared_.data(), dynamicShared_.size() * sizeof(DynamicSharedWord));
  dynamicShared_.assign((grid.sharedBytes + 15 + 2 * kRedZone) / 16, {{~0u, ~0u, ~0u, ~0u}});
  char* shared = static_cast<char*>(dynamicSharedBytes());
  checker::beginBlock(block, shared, grid.sharedBytes, kRedZone);
  asan::forbid(shared - kRedZone, kRedZone);
  asan::forbid(shared + grid.sharedBytes, kRedZone);

  ready_.clear();
  for (int rank : inOrder()) ready_.push_back(&threads_[rank]);
}

/// The ranks of the block's threads in the order in which the options let them run.
std::vector<int> BlockScheduler::inOrder() {
  std::vector<int> ranks(count_);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (options().order == Order::reverse) std::reverse(ranks.begin(), ranks.end());
  if (options().order == Order::random) std::shuffle(ranks.begin(), ranks.end(), random_);
  return ranks;
}

/// Ends the block: every waiting thread becomes ready and unwinds when its turn comes.
void BlockScheduler::fail(std::string message) {
  if (failed_) return;
  failed_ = true;
  message_ = std::move(message);
  if (!message_.empty())  // otherwise the checker knows what
    message_ += "\n  (kernel launched at " + place(grid_->file, grid_->line) + ")";
  for (int rank = 0; rank < count_; ++rank) {
    Thread& thread = threads_[rank];
    if (thread.state == State::atBarrier || thread.state == State::atWarp) makeReady(thread);
  }
}

std::string BlockScheduler::describe(const Thread& thread) const {
  return "thread " + triple(thread.index) + " of block " + triple(currentThread.block);
}

std::string BlockScheduler::describeDeadlock() const {
  std::vector<RankGroup> groups;
  bool votes = false;
  for (int rank = 0; rank < count_; ++rank) {
    const Thread& thread = threads_[rank];
    std::string what = "returned from the kernel";
    if (thread.state == State::atBarrier) what = "wait at " + at(thread.site);
    if (thread.state == State::atWarp)
      what = "wait at " + at(thread.site) + " for the lanes of mask " + hex(thread.mask);
    votes = votes || thread.state == State::atWarp;
    addToGroup(groups, what, rank);
  }
  std::string advice =
      votes ? "Every lane of the mask must reach the same warp function: move it out of the "
              "branch, or name only the lanes that come."
            : "Every thread of a block must reach the same __syncthreads(): move it out of "
              "the branch, and let no thread return before it.";
  return "executor: divergent " + std::string(votes ? "warp function" : "barrier") + ": block " +
         triple(currentThread.block) + ", where no thread can go on.\n" + list(groups) + "  " +
         advice;
}

void BlockScheduler::abandonThread() {
  fail("");
  std::longjmp(active_->abandoned, 1);
}

}  // namespace nbody::executor
