// How a block ends early, and the messages about it. Never instrumented by a sanitizer; see
// block_fibers.cpp.
#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

void failHere(std::string message) { thisScheduler().failHere(std::move(message)); }
std::string describeCurrentThread() { return thisScheduler().describeCurrent(); }

void failForLanes(Site site, int count) {
  checker::leaveThread();  // before the text is made, which is not an access of the kernel
  failHere(
      "executor: missing lanes: " + std::to_string(count) + " of 32 lanes call " + at(site) +
      ", and the others have returned or do not exist. All lanes of the warp have to take part.");
}

/// Ends the block: every waiting thread becomes ready, and unwinds in its turn.
void BlockScheduler::fail(std::string message) {
  if (failed_) return;
  failed_ = true;
  message_ = std::move(message);
  if (!message_.empty())  // otherwise the checker reports the reason
    message_ += "\n  (kernel launched at " + place(grid_->file, grid_->line) + ")";
  atGrid_ = 0;
  for (int rank = 0; rank < count_; ++rank) {
    const State state = threads_[rank].state;
    if (state != State::notStarted && state != State::ready && state != State::returned)
      makeReady(threads_[rank]);
  }
}

void BlockScheduler::failHere(std::string message) {
  checker::leaveThread();
  fail(std::move(message));
  throw Unwind{};
}

void BlockScheduler::abandonThread() {
  fail("");
  std::longjmp(active_->abandoned, 1);
}

std::string BlockScheduler::describe(const Thread& thread) const {
  return "thread " + triple(thread.index) + " of block " + triple(::blockIdx);
}

/// Returns a line for each place where threads wait. Sets \p votes if some wait for lanes.
std::string BlockScheduler::describeWaits(bool& votes) const {
  std::vector<RankGroup> groups;
  for (int rank = 0; rank < count_; ++rank) {
    const Thread& thread = threads_[rank];
    std::string what = "returned from the kernel";
    if (thread.state != State::returned) what = "wait at " + at(thread.site);
    if (thread.state == State::ready) what = std::string("wait in a loop at ") + thread.line;
    if (thread.state == State::atWarp) what += " for the lanes of mask " + hex(thread.mask);
    votes = votes || thread.state == State::atWarp;
    addToGroup(groups, what, rank);
  }
  return list(groups);
}

std::string BlockScheduler::describeDeadlock() const {
  bool votes = false;
  const std::string waits = describeWaits(votes);
  const char *kind = "barrier",
             *advice =
                 "Every thread of a block must reach the same __syncthreads(): move it out of "
                 "the branch, and let no thread return before it.";
  if (votes) {
    kind = "warp function";
    advice =
        "Every lane of the mask must reach the same warp function: move it out of the "
        "branch, or put only the lanes that reach it into the mask.";
  } else if (atGrid_ > 0) {
    kind = "grid barrier";
    advice =
        "Every thread of the grid must reach the same sync() of the grid: move it out of the "
        "branch, and let no thread return before it.";
  } else if (atCondition_ > 0) {
    advice =
        "A barrier waits for as many threads as it counts, and a group for all of its threads: let "
        "all of them arrive, or count only those that do.";
  }
  return "executor: divergent " + std::string(kind) + ": no thread of block " + triple(::blockIdx) +
         " can continue.\n" + waits + "  " + advice;
}

}  // namespace nbody::executor
