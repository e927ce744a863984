// How a block begins and continues. Never instrumented by a sanitizer; see block_fibers.cpp.
#include "executor/block_scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"

namespace nbody::executor {

// Bytes around dynamic shared memory that kernels must not touch.
constexpr std::size_t kRedZone = checker::kOn ? 16 * 1024 : 0;

static thread_local BlockScheduler* chosenScheduler = nullptr;

BlockScheduler& thisScheduler() {
  if (chosenScheduler != nullptr) return *chosenScheduler;
  static thread_local BlockScheduler
      own;  // not made in a kernel, where it would count as the kernel's writes
  return own;
}

void useScheduler(BlockScheduler* scheduler) { chosenScheduler = scheduler; }

void* dynamicSharedBytes() { return thisScheduler().dynamicSharedBytes(); }
std::size_t dynamicSharedSize() { return thisScheduler().dynamicSharedSize(); }

const void* sharedAt(std::uint32_t low) {
  const auto nearest = [&](const void* base) {
    const auto begin = reinterpret_cast<std::uintptr_t>(base);
    return begin + static_cast<std::intptr_t>(
                       static_cast<std::int32_t>(low - static_cast<std::uint32_t>(begin)));
  };
  const std::uintptr_t dynamic = nearest(dynamicSharedBytes());
  const bool isDynamic =
      dynamic - reinterpret_cast<std::uintptr_t>(dynamicSharedBytes()) <= dynamicSharedSize();
  return reinterpret_cast<const void*>(
      isDynamic && dynamicSharedSize() > 0 ? dynamic : nearest(checker::threadLocalBegin()));
}

void* BlockScheduler::dynamicSharedBytes() {
  return reinterpret_cast<char*>(dynamicShared_.data()) + kRedZone;
}

void BlockScheduler::run(const Grid& grid, std::uint64_t block, Turns* turns) {
  turns_ = turns;
  prepare(grid, block);
  enter();
}

void BlockScheduler::resume() {
  setIndices();
  checker::resumeBlock(block_, dynamicSharedBytes(), grid_->sharedBytes, kRedZone);
  atGrid_ = 0;
  for (int rank : inOrder())
    if (threads_[rank].state == State::atGrid) makeReady(threads_[rank]);
  enter();
}

/// Runs the block's ready threads until none is left.
void BlockScheduler::enter() {
  currentThread.inKernel = true;
  if (Thread* first = takeReady()) switchTo(fiberFor(*first));
  currentThread.inKernel = false;
  current_ = nullptr;
  if (failed_) throw KernelError(message_);
}

void BlockScheduler::prepare(const Grid& grid, std::uint64_t block) {
  grid_ = &grid;
  block_ = block;
  atBarrier_ = atConverge_ = atCondition_ = atGrid_ = votes_ = atomics_ = yields_ = lockTurns_ = 0;
  failed_ = asksForLines_ = false;
  noteChange();
  if (options().order == Order::random) random_.seed(options().seed * 1000003 + block);
  setIndices();
  prepareThreads();
  dynamicShared_.resize((grid.sharedBytes + 15 + 2 * kRedZone) / 16);
  char* shared = static_cast<char*>(dynamicSharedBytes());
  std::memset(shared, 0xff, grid.sharedBytes);  // NaN, so that a read before any write shows
  checker::beginBlock(block, shared, grid.sharedBytes, kRedZone);

  ready_.clear();
  for (int rank : inOrder()) ready_.push_back(&threads_[rank]);
}

void BlockScheduler::setIndices() {
  const dim3& blocks = grid_->blocks;
  ::blockIdx = {static_cast<unsigned>(block_ % blocks.x),
                static_cast<unsigned>(block_ / blocks.x % blocks.y),
                static_cast<unsigned>(block_ / blocks.x / blocks.y)};
  ::blockDim = grid_->threads;
  ::gridDim = blocks;
}

void BlockScheduler::prepareThreads() {
  const dim3 threads = grid_->threads;
  count_ = running_ = static_cast<int>(product(threads));
  uint3 index = {0, 0, 0};
  for (int rank = 0; rank < count_; ++rank) {
    Thread& thread = threads_[rank];  // the rest is set when it waits
    thread.index = index;
    thread.rank = rank;
    thread.state = State::notStarted;
    thread.fiber = nullptr;
    if (keepsMore_) {
      thread.place.clear();
      thread.lock = thread.wanted = nullptr;
    }
    if (++index.x < threads.x) continue;
    index.x = 0;
    if (++index.y < threads.y) continue;
    index.y = 0;
    ++index.z;
  }
  keepsMore_ = false;
  for (int warp = 0; warp * kWarpSize < count_; ++warp) {
    int lanes = std::min(kWarpSize, count_ - warp * kWarpSize);
    warps_[warp] = {0, lanes == kWarpSize ? 0u : ~0u << lanes};
    groups_[warp] = {};
  }
  named_.fill({});
}

/// Returns the ranks of the block's threads in the order given by the options.
std::vector<int> BlockScheduler::inOrder() {
  std::vector<int> ranks(count_);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (options().order == Order::reverse) std::reverse(ranks.begin(), ranks.end());
  if (options().order == Order::random) std::shuffle(ranks.begin(), ranks.end(), random_);
  return ranks;
}

}  // namespace nbody::executor
