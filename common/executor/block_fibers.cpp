// Switches between a block's threads. Each waiting thread keeps its stack. Never instrumented,
// because this file switches stacks under a sanitizer.
#include <pthread.h>

#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstring>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"

namespace nbody::executor {

void BlockScheduler::setCurrent(Thread& thread) {
  current_ = &thread;
  ::threadIdx = thread.index;
  currentThread.lane = thread.rank % kWarpSize;
  const Stack& stack = active_->stack;
  checker::enterThread(thread.rank, stack.low, stack.bytes);
}

/// Runs other CUDA threads until the calling one, which waits or is queued, has its turn again.
void BlockScheduler::suspend() {
  Thread& self = *current_;
  Thread* next = takeReady();
  if (next == nullptr) switchTo(main_);  // all wait for the grid
  else if (next != &self) switchTo(fiberFor(*next));
  setCurrent(self);
  if (failed_) throw Unwind{};
}

void BlockScheduler::takeTurn() {
  Thread& self = *current_;
  checker::leaveThread();
  if (failed_) abandonThread();
  makeReady(self);
  Thread* const next = takeReady();
  if (next != &self) switchTo(fiberFor(*next));
  setCurrent(self);
  if (!failed_) return;
  checker::leaveThread();
  abandonThread();
}

/// Loads the stack of the thread whose turn is the next but one, because the stacks of a block's
/// threads do not fit the first cache.
static void prefetch(const BlockThread& thread) {
  if (thread.fiber == nullptr) return;
  constexpr int kLines = 8;  // registers, and the frames of a wait
  const char* stack = nullptr;  // the only member of a fiber's context
  static_assert(sizeof(boost::context::fiber) == sizeof stack);
  std::memcpy(&stack, &thread.fiber->context, sizeof stack);
  for (int line = 0; line < kLines; ++line) __builtin_prefetch(stack + 64 * line, 1);
}

/// Returns the next thread to run; null if all have returned, or if all wait for the grid. If threads
/// wait in vain, the block fails, and all become ready to be unwound.
BlockScheduler::Thread* BlockScheduler::takeReady() {
  if (ready_.empty() && running_ > 0 && !releaseConditions() && !releaseConverged()) {
    if (atGrid_ == count_ && !gridBarriersDiffer_) return nullptr;
    fail(describeDeadlock());
  }
  if (ready_.empty()) return nullptr;
  Thread* next = ready_.front();
  ready_.pop_front();
  if (!ready_.empty()) prefetch(*ready_.front());
  return next;
}

Fiber& BlockScheduler::fiberFor(Thread& thread) {
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

std::unique_ptr<Fiber> BlockScheduler::makeFiber() {
  constexpr std::size_t kStackBytes = 256 * 1024;  // reserved; Linux backs only the pages in use
  // Stacks are a multiple of the page size apart, so their tops would share a few cache sets and
  // evict each other. So each starts a few cache lines lower than the previous one.
  constexpr std::size_t kColours = 61;
  constexpr std::size_t kColourBytes = 192;
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  boost::context::stack_context stack = allocator.allocate();
  std::size_t colour = fibers_.size() % kColours * kColourBytes;
  boost::context::preallocated memory(static_cast<char*>(stack.sp) - colour, stack.size - colour,
                                      stack);

  auto fiber = std::make_unique<Fiber>();
  Fiber* self = fiber.get();
  self->stack = {static_cast<char*>(stack.sp) - stack.size, stack.size};
  checker::addStack(self->stack.low, self->stack.bytes);
  fiber->context = boost::context::fiber(
      std::allocator_arg, memory, allocator, [this, self](boost::context::fiber&& from) {
        switchedFrom_->context = std::move(from);
        runThreads(*self);
        return boost::context::fiber();  // not reached, because runThreads() ends by unwinding
      });
  return fiber;
}

Stack ownStack() {
  // Once per thread: for a program's first thread, glibc reads all of /proc/self/maps.
  thread_local const Stack own = []() -> Stack {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* low = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    return {static_cast<const char*>(low), bytes};
  }();
  return own;
}

/// Stops the running fiber and continues with \p next. Returns when something switches back.
void BlockScheduler::switchTo(Fiber& next) {
  switchedFrom_ = active_;
  active_ = &next;
  boost::context::fiber from = std::move(next.context).resume();
  switchedFrom_->context = std::move(from);  // the previous fiber can be resumed
}

/// Runs the thread that a fiber was given, then threads that have not started, without a switch.
void BlockScheduler::runThreads(Fiber& fiber) {
  for (;;) {
    runThread(*fiber.thread);
    Thread* next = takeReady();
    if (next != nullptr && next->fiber == nullptr) {
      fiber.thread = next;
      continue;
    }
    fiber.thread = nullptr;
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
  noteChange();
  if (failed_) return;  // all are ready to be unwound; none may become ready twice
  int warp = thread.rank / kWarpSize;
  warps_[warp].returned |= 1u << (thread.rank % kWarpSize);
  // Releases lanes that waited only for this one.
  for (unsigned waiting = warps_[warp].arrived; waiting != 0; waiting &= waiting - 1) {
    const Thread& lane = threads_[warp * kWarpSize + std::countr_zero(waiting)];
    if (tryCompleteWarp(warp, lane.mask, lane.operation)) break;
  }
}

}  // namespace nbody::executor
