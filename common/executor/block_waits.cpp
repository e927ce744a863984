// Waits of a block's threads for each other, except within a warp.
#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

int waitForBlock(Site site, bool predicate) {
  return thisScheduler().waitForBlock(site, predicate);
}
std::uint64_t waitForGroup(unsigned first, unsigned size, std::uint64_t value, Fold fold,
                           Site site) {
  return thisScheduler().waitForGroup(site, first, size, value, fold);
}
void waitUntil(Site site, bool (*holds)(const void* data), const void* data) {
  thisScheduler().waitUntil(site, holds, data);
}
void waitForGrid(Site site) { thisScheduler().waitForGrid(site); }
void waitAtNamed(Site site, unsigned id, unsigned threads, bool isWaiting) {
  thisScheduler().waitAtNamed(site, id, threads, isWaiting);
}
void yieldThread() { thisScheduler().yieldThread(); }
void setScope(bool isBlock) { checker::setScope(isBlock); }
void countAtomic() {
  if (currentThread.inKernel) thisScheduler().countAtomic();
}

/// Begins every wait of a thread.
void BlockScheduler::wait(Site site, State state) {
  checker::leaveThread();
  if (failed_) throw Unwind{};
  atomics_ = 0;
  if (state != State::ready) yields_ = 0;
  current_->site = site;
  current_->state = state;
  checker::seeWait(*current_, site, state);
}

int BlockScheduler::waitForBlock(Site site, bool predicate) {
  wait(site, State::atBarrier);
  if (atBarrier_ == 0) {
    barrier_ = site;
    barriersDiffer_ = false;
  }
  if (!sameLine(site, barrier_)) barriersDiffer_ = true;
  ++atBarrier_;
  votes_ += predicate;
  if (atBarrier_ == count_ && !barriersDiffer_) releaseBarrier();
  suspend();
  return voted_;  // valid until all have read it, because only then the next barrier can end
}

void BlockScheduler::releaseBarrier() {
  atBarrier_ = 0;
  voted_ = votes_;
  votes_ = 0;
  checker::passBarrier();
  if (options().order == Order::forward) {  // the common case, without the list
    for (int rank = 0; rank < count_; ++rank) makeReady(threads_[rank]);
  } else {
    for (int rank : inOrder()) makeReady(threads_[rank]);
  }
}

void BlockScheduler::makeReady(Thread& thread) {
  thread.state = State::ready;
  ready_.push_back(&thread);
}

void BlockScheduler::waitUntil(Site site, bool (*holds)(const void* data), const void* data) {
  checker::leaveThread();
  if (holds(data)) {
    checker::seeWait(*current_, site, State::atCondition);
    return setCurrent(*current_);
  }
  wait(site, State::atCondition);
  current_->holds = holds;
  current_->data = data;
  ++atCondition_;
  suspend();
}

/// Releases threads whose conditions hold now. Returns false if there is none.
bool BlockScheduler::releaseConditions() {
  if (atCondition_ == 0) return false;
  const int before = atCondition_;
  for (int rank : inOrder()) {
    Thread& thread = threads_[rank];
    if (thread.state != State::atCondition || !thread.holds(thread.data)) continue;
    --atCondition_;
    makeReady(thread);
  }
  return atCondition_ < before;
}

/// The last thread to arrive ends the wait of all.
std::uint64_t BlockScheduler::waitForGroup(Site site, unsigned first, unsigned size,
                                           std::uint64_t value, Fold fold) {
  checker::leaveThread();
  checker::leaveUndefined();
  WarpsGroup& group = groups_[first / kWarpSize];
  const unsigned own = group.phase;
  if (group.arrived++ == 0) group.sum = value;
  else fold(&group.sum, value);
  if (group.arrived == size) {
    group.result = group.sum;
    group.arrived = 0;
    ++group.phase;
    checker::passBarrier();
  }
  executor::waitUntil(site, [&] { return group.phase != own; });
  return group.result;
}

/// For the checker its end orders all threads of the block, like that of a cuda::barrier.
void BlockScheduler::waitAtNamed(Site site, unsigned id, unsigned threads, bool isWaiting) {
  checker::leaveThread();
  checker::leaveUndefined();
  if (id >= named_.size() || threads % kWarpSize != 0 || threads > kMaxThreads)
    failHere("executor: wrong barrier: " + describeCurrent() + " calls " + at(site) +
             " with barrier " + std::to_string(id) + " and " + std::to_string(threads) +
             " threads. A block has barriers 0 to 15, and a barrier counts whole warps.");
  WarpsGroup& barrier = named_[id];
  const unsigned own = barrier.phase, all = static_cast<unsigned>(count_);
  if (++barrier.arrived == (threads == 0 || threads > all ? all : threads)) {
    barrier.arrived = 0;
    ++barrier.phase;
    checker::passBarrier();
  }
  if (!isWaiting) return setCurrent(*current_);
  executor::waitUntil(site, [&] { return barrier.phase != own; });
}

void BlockScheduler::waitForGrid(Site site) {
  if (!grid_->cooperative) {
    checker::leaveThread();  // see waitForWarp()
    failHere("executor: grid barrier: " + describeCurrent() + " waits at " + at(site) +
             ", but the launch is not cooperative: start the kernel with "
             "cudaLaunchCooperativeKernel().");
  }
  wait(site, State::atGrid);
  gridSite_ = site;
  ++atGrid_;
  suspend();
}

void BlockScheduler::yieldThread() {
  wait({"a thread's turn", "", 0}, State::ready);
  ready_.push_back(current_);
  releaseConditions();
  // Otherwise threads that only spin would keep converging ones waiting for ever.
  if (++yields_ > 2 * count_) releaseConverged();
  suspend();
}

void BlockScheduler::countAtomic() {
  constexpr int kMany = 4096;  // few enough that a spinning thread costs little
  if (++atomics_ < kMany) return;
  yieldThread();
}

}  // namespace nbody::executor
