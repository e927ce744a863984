// Waits of a block's threads for each other, except within a warp.
#include <cstring>
#include <utility>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/source_names.hpp"

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
void beforeLock(const volatile void* address) {
  if (checker::kOn && currentThread.inKernel)
    thisScheduler().beforeLock(const_cast<const void*>(address));
}
void afterLock(const volatile void* address, const void* value, std::size_t bytes) {
  if (checker::kOn && currentThread.inKernel)
    thisScheduler().afterLock(const_cast<const void*>(address), value, bytes);
}
void countAtomic(bool changes) {
  if (currentThread.inKernel) thisScheduler().countAtomic(changes);
}

/// Begins every wait of a thread.
void BlockScheduler::wait(Site site, State state) {
  checker::leaveThread();
  if (failed_) throw Unwind{};
  atomics_ = 0;
  if (state != State::ready) {
    yields_ = 0;
    noteChange();
  }
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
  if (atGrid_ == 0) {
    gridSite_ = site;
    gridBarriersDiffer_ = false;
  }
  if (!sameLine(site, gridSite_)) gridBarriersDiffer_ = true;
  ++atGrid_;
  suspend();
}

void BlockScheduler::noteChange() {
  idleTurns_ = 0;
  isQuiet_ = false;
}

void BlockScheduler::yieldThread() {
  // In the second round, because the first few atomics may be useful ones. Before anything else,
  // because this function's registers would be part of the state.
  const std::uint64_t state = idleTurns_ > ready_.size() ? ownState() : 0;
  if (state != 0 && std::exchange(current_->ownState, state) != state) isQuiet_ = false;
  wait({"a thread's turn", "", 0}, State::ready);
  const std::size_t round = ready_.size() + 1;
  ++idleTurns_;
  if (idleTurns_ > 2 * round) giveTurn();
  ready_.push_back(current_);
  releaseConditions();
  // Otherwise threads that only spin would keep converging ones waiting for ever.
  if (++yields_ > 2 * count_) releaseConverged();
  suspend();
  while (asksForLines_) lookForLines();
}

/// Returns a hash of what the running thread may use later: its stack and registers.
[[gnu::noinline]] std::uint64_t BlockScheduler::ownState() const {
  std::jmp_buf registers;
  std::memset(&registers, 0, sizeof registers);
  if (_setjmp(registers) != 0) return 0;  // never jumped to
  std::uint64_t hash = 0;
  const auto add = [&hash](const void* from, const void* end) {
    for (const char* at = static_cast<const char*>(from); at + 8 <= end; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, at, sizeof word);
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
  };
  add(&registers, &registers + 1);
  add(__builtin_frame_address(0), active_->stack.low + active_->stack.bytes);
  return hash;
}

/// Lets other blocks run. Ends this one if none of them can continue.
void BlockScheduler::giveTurn(std::uint64_t mostBlocks) {
  idleTurns_ = 0;
  if (turns_ == nullptr) return;
  switch (turns_->give(std::exchange(isQuiet_, true), mostBlocks, describeLocks())) {
    case Turns::Verdict::goOn:
      return;
    case Turns::Verdict::ended:
      failHere("");
    case Turns::Verdict::stuck:
      break;
  }
  asksForLines_ = true;
  lookForLines();  // returns when all others have done so
  asksForLines_ = false;
  checker::leaveThread();  // before the text is made, which is not an access of the kernel
  bool votes = false;
  failHere("executor: waits for ever: no thread of block " + triple(::blockIdx) +
           " can continue, and nothing changes any more.\n" + describeWaits(votes) +
           turns_->describe());
}

/// Returns what a report says of a thread that holds a lock and waits for one.
std::string BlockScheduler::describeLocks() const {
  if (lockTurns_ == 0) return "";
  for (int rank = 0; rank < count_; ++rank) {
    const Thread& thread = threads_[rank];
    if (thread.state != State::ready || !thread.holdsLock() || thread.wanted == thread.lock)
      continue;
    return "  " + describe(thread) +
           " has taken one lock and waits for another one, whose owner waits for this one. Let all "
           "threads take locks in the same order, for example that of their indices.";
  }
  return "";
}

void BlockScheduler::beforeLock(const void* address) {
  Thread& own = *current_;
  keepsMore_ = true;
  own.wanted = address;
  // A thread's own compare-and-swap loops look like locks too, so the turns are few.
  constexpr int kMostTurns = 64, kMostTurnsOfBlocks = 4;
  constexpr std::uint64_t kBlocks = 4;
  if (own.lock == address || !own.holdsLock() || lockTurns_ == kMostTurns) return;
  ++lockTurns_;
  yieldThread();
  if (turns_ != nullptr && lockTurns_ <= kMostTurnsOfBlocks) giveTurnOf(kBlocks);
}

/// Does giveTurn() for a thread that does not wait.
void BlockScheduler::giveTurnOf(std::uint64_t mostBlocks) {
  checker::leaveThread();
  giveTurn(mostBlocks);
  setCurrent(*current_);
}

void BlockScheduler::afterLock(const void* address, const void* value, std::size_t bytes) {
  current_->lock = address;
  current_->lockBytes = bytes;
  std::uint64_t& kept = current_->lockValue;
  // Copies constant sizes, because the checker takes a call of memcpy() for one of the kernel.
  if (bytes == 2) std::memcpy(&kept, value, 2);
  else if (bytes == 4) std::memcpy(&kept, value, 4);
  else if (bytes == 8) std::memcpy(&kept, value, 8);
  else current_->lock = nullptr;
}

/// Notes the running thread's line, and lets the others note theirs.
void BlockScheduler::lookForLines() {
  checker::leaveThread();
  current_->line = runtime::lineOfCaller();
  ready_.push_back(current_);
  suspend();
}

void BlockScheduler::countAtomic(bool changes) {
  if (changes) noteChange();
  // Few enough that a spinning thread costs little, and fewer if all of them spin.
  const int many = idleTurns_ > ready_.size() ? 64 : 4096;
  if (++atomics_ < many) return;
  yieldThread();
  if (turns_ != nullptr && turns_->isLockHeld()) giveTurnOf(~std::uint64_t{0});
}

}  // namespace nbody::executor
