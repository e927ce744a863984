// Never instrumented by a sanitizer: it switches stacks under it.
#include "cuda/executor/block_scheduler.hpp"

#include <pthread.h>

#include <algorithm>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstring>
#include <numeric>

#include "cuda/executor/checker/asan.hpp"
#include "cuda/executor/checker/checker.hpp"
#include "cuda/executor/messages.hpp"

#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

namespace nbody::executor {

// Bytes around dynamic shared memory that no kernel may touch.
constexpr std::size_t kRedZone = checker::kOn || asan::kOn ? 16 * 1024 : 0;

BlockScheduler& thisScheduler() {
  static thread_local BlockScheduler scheduler;
  return scheduler;
}

BlockScheduler::~BlockScheduler() {
  // A fiber's destructor switches to it and unwinds it, of which ASan would have to be told: the
  // process ends in any case.
  if (asan::kOn)
    for (auto& fiber : fibers_) static_cast<void>(fiber.release());
}

void waitForBlock(Site site) { thisScheduler().waitForBlock(site); }

std::uint64_t waitForWarp(Site site,
                          WarpOperation operation,
                          unsigned mask,
                          std::uint64_t value,
                          int source) {
  return thisScheduler().waitForWarp(site, operation, mask, value, source);
}

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

void BlockScheduler::setCurrent(Thread& thread) {
  current_ = &thread;
  currentThread.thread = thread.index;
  currentThread.lane = thread.rank % kWarpSize;
  const char* stack = static_cast<const char*>(active_->stackLow);
  checker::enterThread(thread.rank, stack, stack + active_->stackBytes);
}

/// Lets other CUDA threads run until the calling one, which waits or is queued, has its turn again.
void BlockScheduler::suspend() {
  Thread& self = *current_;
  Thread& next = *takeReady();
  if (&next != &self) switchTo(fiberFor(next));
  setCurrent(self);
  if (failed_) throw Unwind{};
}

/// The next thread to run; null when all have returned. Where threads wait for each other in vain,
/// the block has failed and all of them become ready, to be unwound.
BlockScheduler::Thread* BlockScheduler::takeReady() {
  if (ready_.empty() && running_ > 0) fail(describeDeadlock());
  if (ready_.empty()) return nullptr;
  Thread* next = ready_.front();
  ready_.pop_front();
  return next;
}

BlockScheduler::Fiber& BlockScheduler::fiberFor(Thread& thread) {
  if (thread.fiber != nullptr) return *thread.fiber;
  if (idle_.empty()) {
    fibers_.push_back(makeFiber());
    idle_.push_back(fibers_.back().get());
  }
  Fiber& fiber = *idle_.back();
  idle_.pop_back();
  fiber.thread = &thread;
  return fiber;
}

std::unique_ptr<BlockScheduler::Fiber> BlockScheduler::makeFiber() {
  constexpr std::size_t kStackBytes = 256 * 1024;  // reserved; Linux backs only the pages in use
  // Stacks lie a multiple of the page size apart, so their tops would share a few cache sets and
  // evict each other at every switch: start each a few cache lines lower than the one before.
  constexpr std::size_t kColours = 61;
  constexpr std::size_t kColourBytes = 192;
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  boost::context::stack_context stack = allocator.allocate();
  std::size_t colour = fibers_.size() % kColours * kColourBytes;
  boost::context::preallocated memory(
      static_cast<char*>(stack.sp) - colour, stack.size - colour, stack);

  auto fiber = std::make_unique<Fiber>();
  Fiber* self = fiber.get();
  self->stackLow = static_cast<char*>(stack.sp) - stack.size;
  self->stackBytes = stack.size;
  fiber->context = boost::context::fiber(
      std::allocator_arg, memory, allocator, [this, self](boost::context::fiber&& from) {
        asan::afterSwitch(nullptr);
        switchedFrom_->context = std::move(from);
        runThreads(*self);
        return boost::context::fiber();  // not reached: runThreads() ends by unwinding
      });
  return fiber;
}

BlockScheduler::Fiber BlockScheduler::ownStack() {
  Fiber fiber;
  pthread_attr_t attributes;
  void* low = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &fiber.stackBytes);
    pthread_attr_destroy(&attributes);
  }
  fiber.stackLow = low;
  return fiber;
}

/// Stops the running fiber and goes on with \p next; returns when something switches back.
void BlockScheduler::switchTo(Fiber& next) {
  switchedFrom_ = active_;
  active_ = &next;
  void* const own = asan::beforeSwitch(next.stackLow, next.stackBytes);
  boost::context::fiber from = std::move(next.context).resume();
  asan::afterSwitch(own);
  switchedFrom_->context = std::move(from);  // whoever switched to us: it can be resumed from here
}

/// A fiber's life: the thread it was given, then threads that have not started, which need no
/// switch.
void BlockScheduler::runThreads(Fiber& fiber) {
  for (;;) {
    runThread(*fiber.thread);
    Thread* next = takeReady();
    if (next != nullptr && next->fiber == nullptr) {
      fiber.thread = next;
      continue;
    }
    idle_.push_back(&fiber);
    switchTo(next == nullptr ? main_ : *next->fiber);
  }
}

void BlockScheduler::runThread(Thread& thread) {
  thread.fiber = active_;
  thread.state = State::ready;
  setCurrent(thread);
  try {
    if (!checker::kOn || setjmp(active_->abandoned) == 0) {
      if (!failed_) grid_->runThread(grid_->kernel);
    }
  } catch (const Unwind&) {
  }
  checker::leaveThread();
  thread.state = State::returned;
  --running_;
  int warp = thread.rank / kWarpSize;
  warps_[warp].returned |= 1u << (thread.rank % kWarpSize);
  // Lanes that waited for this one only can go on.
  for (unsigned waiting = warps_[warp].arrived; waiting != 0; waiting &= waiting - 1) {
    const Thread& lane = threads_[warp * kWarpSize + std::countr_zero(waiting)];
    if (tryCompleteWarp(warp, lane.mask, lane.operation)) break;
  }
}

void BlockScheduler::abandonThread() {
  fail("");
  std::longjmp(active_->abandoned, 1);
}

void BlockScheduler::waitForBlock(Site site) {
  checker::leaveThread();
  if (failed_) throw Unwind{};
  current_->site = site;
  current_->state = State::atBarrier;
  if (atBarrier_ == 0) {
    barrier_ = site;
    barriersDiffer_ = false;
  }
  if (!sameLine(site, barrier_)) barriersDiffer_ = true;
  ++atBarrier_;
  if (atBarrier_ == count_ && !barriersDiffer_) releaseBarrier();
  suspend();
}

void BlockScheduler::releaseBarrier() {
  atBarrier_ = 0;
  checker::passBarrier();
  auto release = [this](Thread& thread) {
    thread.state = State::ready;
    ready_.push_back(&thread);
  };
  if (options().order == Order::forward) {  // the common case, without the list
    for (int rank = 0; rank < count_; ++rank) release(threads_[rank]);
  } else {
    for (int rank : inOrder()) release(threads_[rank]);
  }
}

std::uint64_t BlockScheduler::waitForWarp(Site site,
                                          WarpOperation operation,
                                          unsigned mask,
                                          std::uint64_t value,
                                          int source) {
  checker::leaveThread();
  if (failed_) throw Unwind{};
  Thread& self = *current_;
  int lane = self.rank % kWarpSize;
  self.site = site;
  self.operation = operation;
  self.mask = mask;
  self.value = value;
  self.source = source;
  if ((mask >> lane & 1) == 0) {
    fail("executor: wrong mask: " + describe(self) + " calls " + at(site) + " with mask " +
         hex(mask) + ", which leaves out its own lane " + std::to_string(lane) + ".");
    throw Unwind{};
  }
  self.state = State::atWarp;
  int warp = self.rank / kWarpSize;
  warps_[warp].arrived |= 1u << lane;
  tryCompleteWarp(warp, mask, operation);
  suspend();
  return self.result;
}

/// Ends a warp function for which every lane of \p mask that still runs has come. Shuffles and
/// votes exchange values; like CUDA's, they do not order memory.
bool BlockScheduler::tryCompleteWarp(int warp, unsigned mask, WarpOperation operation) {
  unsigned participants = mask & ~warps_[warp].returned;
  if (participants == 0 || (warps_[warp].arrived & participants) != participants) return false;
  Thread* lanes = &threads_[warp * kWarpSize];
  unsigned ballot = 0;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    if (lanes[lane].mask != mask || lanes[lane].operation != operation) return false;
    if (lanes[lane].value != 0) ballot |= 1u << lane;
  }
  if (operation == WarpOperation::shuffle) {
    deliverShuffle(lanes, participants, warps_[warp].returned);
  } else {
    for (unsigned rest = participants; rest != 0; rest &= rest - 1)
      lanes[std::countr_zero(rest)].result = ballot;
  }
  if (failed_) return true;
  if (operation == WarpOperation::sync) checker::passWarpBarrier(warp, participants);
  releaseWarp(warp, participants);
  return true;
}

void BlockScheduler::deliverShuffle(Thread* lanes, unsigned participants, unsigned returned) {
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    Thread& reader = lanes[std::countr_zero(rest)];
    if ((participants >> reader.source & 1) == 0) {
      fail("executor: wrong lane: " + describe(reader) + " reads lane " +
           std::to_string(reader.source) + " in " + at(reader.site) + ", but that lane " +
           ((returned >> reader.source & 1) != 0 ? "has returned." : "is not in the mask."));
      return;
    }
    reader.result = lanes[reader.source].value;
  }
}

/// Puts the lanes at the head of the queue: their stacks are still in the cache.
void BlockScheduler::releaseWarp(int warp, unsigned participants) {
  warps_[warp].arrived &= ~participants;
  std::array<Thread*, kWarpSize> released;
  int count = 0;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1)
    released[count++] = &threads_[warp * kWarpSize + std::countr_zero(rest)];
  if (options().order == Order::random)
    std::shuffle(released.begin(), released.begin() + count, random_);
  else if (options().order == Order::forward)
    std::reverse(released.begin(), released.begin() + count);
  for (int i = 0; i < count; ++i) {
    released[i]->state = State::ready;
    ready_.push_front(released[i]);
  }
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
    if (thread.state != State::atBarrier && thread.state != State::atWarp) continue;
    thread.state = State::ready;
    ready_.push_back(&thread);
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

}  // namespace nbody::executor
