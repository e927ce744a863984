// Barriers and warp functions: threads that wait for each other, and what lanes exchange.
#include <algorithm>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

BlockScheduler& thisScheduler() {
  static thread_local BlockScheduler scheduler;
  return scheduler;
}

void waitForBlock(Site site) { thisScheduler().waitForBlock(site); }

std::uint64_t waitForWarp(Site site,
                          WarpOperation operation,
                          unsigned mask,
                          std::uint64_t value,
                          int source) {
  return thisScheduler().waitForWarp(site, operation, mask, value, source);
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

}  // namespace nbody::executor
