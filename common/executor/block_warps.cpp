// Warp functions: lanes that wait for each other and exchange values.
#include <algorithm>
#include <bit>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

std::uint64_t waitForWarp(Site site, WarpOperation operation, unsigned mask, std::uint64_t value,
                          int source, Gather gather) {
  return thisScheduler().waitForWarp(site, operation, mask, value, source, gather);
}
unsigned converge(Site site) { return thisScheduler().converge(site); }

std::uint64_t BlockScheduler::waitForWarp(Site site, WarpOperation operation, unsigned mask,
                                          std::uint64_t value, int source, Gather gather) {
  Thread& self = *current_;
  const int lane = self.rank % kWarpSize;
  if ((mask >> lane & 1) == 0) {
    checker::leaveThread();  // before the text is made, which is not an access of the kernel
    failHere("executor: wrong mask: " + describe(self) + " calls " + at(site) + " with mask " +
             hex(mask) + ", but the mask does not include lane " + std::to_string(lane) +
             ", which is this thread's own lane.");
  }
  self.operation = operation;
  self.mask = mask;
  self.value = value;
  self.source = source;
  self.gather = gather;
  wait(site, State::atWarp);
  int warp = self.rank / kWarpSize;
  warps_[warp].arrived |= 1u << lane;
  tryCompleteWarp(warp, mask, operation);
  suspend();
  return self.result;
}

/// Ends a warp function if every lane of \p mask that still runs has arrived. Shuffles and votes
/// exchange values, but like CUDA's they do not order memory.
bool BlockScheduler::tryCompleteWarp(int warp, unsigned mask, WarpOperation operation) {
  unsigned participants = mask & ~warps_[warp].returned;
  if (participants == 0 || (warps_[warp].arrived & participants) != participants) return false;
  Thread* lanes = &threads_[warp * kWarpSize];
  const Gather gather = lanes[std::countr_zero(participants)].gather;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const Thread& lane = lanes[std::countr_zero(rest)];
    if (lane.mask != mask || lane.operation != operation || lane.gather != gather) return false;
  }
  noteBranches(lanes, participants);
  deliver(lanes, participants);
  if (operation == WarpOperation::sync) checker::passWarpBarrier(warp, participants);
  releaseWarp(warp, participants);
  return true;
}

/// Notes that lanes exchange values with calls at two lines, so they have taken two branches.
void BlockScheduler::noteBranches(const Thread* lanes, unsigned participants) const {
  if (!checker::kOn) return;
  const Thread& first = lanes[std::countr_zero(participants)];
  if (first.operation != WarpOperation::shuffle && first.operation != WarpOperation::ballot) return;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const Thread& lane = lanes[std::countr_zero(rest)];
    if (sameLine(lane.site, first.site)) continue;
    checker::addNote("executor: note: exchange between branches: " + describe(first) + " calls " +
                     at(first.site) + ", and " + describe(lane) + " of its warp calls " +
                     at(lane.site) +
                     ".\n  GPUs before Volta leave the result undefined. Call the function before "
                     "the branch, or put "
                     "only the lanes of the branch into the mask.");
    return;
  }
}

/// Gives each participant its result.
void BlockScheduler::deliver(Thread* lanes, unsigned participants) {
  const Thread& first = lanes[std::countr_zero(participants)];
  if (first.operation == WarpOperation::shuffle) return deliverShuffle(lanes, participants);
  checker::shareUndefined(lanes->rank, participants);
  if (first.operation == WarpOperation::gather && std::popcount(participants) < first.source)
    reportMissingLane(lanes, participants);
  std::uint64_t values[kWarpSize] = {};
  std::uint64_t results[kWarpSize] = {};
  unsigned ballot = 0;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    values[lane] = lanes[lane].value;
    if (values[lane] != 0) ballot |= 1u << lane;
  }
  if (first.operation == WarpOperation::gather) first.gather(values, participants, results);
  else std::fill_n(results, kWarpSize, ballot);
  for (unsigned rest = participants; rest != 0; rest &= rest - 1)
    lanes[std::countr_zero(rest)].result = results[std::countr_zero(rest)];
}

/// Returns why a lane of the warp of \p other takes no part in its warp function.
std::string BlockScheduler::whyAbsent(const Thread& other, int lane) const {
  const int rank = other.rank / kWarpSize * kWarpSize + lane;
  if (rank >= count_)
    return "but the block has only " + std::to_string(count_) +
           (count_ == 1 ? " thread." : " threads.");
  if ((other.mask >> lane & 1) == 0) return "but that lane is not in the mask.";
  return "but that lane never calls it: it has taken another branch, or has returned before.";
}

/// A reduction of a group needs the values of all its lanes. One of them has returned.
void BlockScheduler::reportMissingLane(const Thread* lanes, unsigned participants) const {
  const Thread& first = lanes[std::countr_zero(participants)];
  const int missing = std::countr_zero(first.mask & ~participants);
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const Thread& lane = lanes[std::countr_zero(rest)];
    if (checker::kOn)
      checker::readWrongLane(lane.rank,
                             describe(lane) + " needs lane " + std::to_string(missing) + " in " +
                                 at(lane.site) + ", " + whyAbsent(lane, missing),
                             place(lane.site.file, lane.site.line));
  }
}

/// The value of a lane that does not take part is undefined: here all bits are set, a NaN.
void BlockScheduler::deliverShuffle(Thread* lanes, unsigned participants) {
  int sources[kWarpSize] = {};
  for (unsigned rest = participants; rest != 0; rest &= rest - 1)
    sources[std::countr_zero(rest)] = lanes[std::countr_zero(rest)].source;
  checker::shuffleUndefined(lanes->rank, participants, sources);
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    Thread& reader = lanes[std::countr_zero(rest)];
    if ((participants >> reader.source & 1) != 0) {
      reader.result = lanes[reader.source].value;
      continue;
    }
    reader.result = ~std::uint64_t{0};
    if (checker::kOn)
      checker::readWrongLane(reader.rank,
                             describe(reader) + " reads lane " + std::to_string(reader.source) +
                                 " in " + at(reader.site) + ", " + whyAbsent(reader, reader.source),
                             place(reader.site.file, reader.site.line));
  }
}

/// Puts the lanes at the head of the queue, because their stacks are still in the cache.
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

unsigned BlockScheduler::converge(Site site) {
  currentPlace().countCall();
  wait(site, State::atConverge);
  ++atConverge_;
  suspend();
  return static_cast<unsigned>(current_->result);
}

/// Releases lanes that wait to converge. Returns false if there is none.
bool BlockScheduler::releaseConverged() {
  if (atConverge_ == 0) return false;
  for (int warp = 0; warp * kWarpSize < count_; ++warp)
    convergeWarp(&threads_[warp * kWarpSize], std::min(kWarpSize, count_ - warp * kWarpSize));
  return true;
}

/// Returns whether lane a is behind lane b in the program.
static bool isBehind(const BlockThread& a, const BlockThread& b) {
  const int order = a.place.compare(b.place);
  return order < 0 || (order == 0 && a.site.line < b.site.line);
}

/// The lanes of a warp that are behind all others that wait to converge become each other's result.
/// The others wait on, because these may still reach their places.
void BlockScheduler::convergeWarp(Thread* lanes, int count) {
  const Thread* last = nullptr;
  for (Thread* lane = lanes; lane < lanes + count; ++lane)
    if (lane->state == State::atConverge && (last == nullptr || isBehind(*lane, *last)))
      last = lane;
  if (last == nullptr) return;
  unsigned together = 0;
  for (int lane = 0; lane < count; ++lane)
    if (lanes[lane].state == State::atConverge && sameLine(lanes[lane].site, last->site) &&
        lanes[lane].place.compare(last->place) == 0)
      together |= 1u << lane;
  atConverge_ -= std::popcount(together);
  for (unsigned rest = together; rest != 0; rest &= rest - 1) {
    lanes[std::countr_zero(rest)].result = together;
    makeReady(lanes[std::countr_zero(rest)]);
  }
}

void setPlace(unsigned number, unsigned loops, unsigned loop) {
  if (currentThread.inKernel) thisScheduler().currentPlace().set(number, loops, loop);
}
void setIteration(unsigned number, unsigned outer) {
  if (currentThread.inKernel) thisScheduler().currentPlace().setIteration(number, outer);
}

CallOf::CallOf(unsigned number) {
  if (!currentThread.inKernel) return;
  Place& place = thisScheduler().currentPlace();
  place.countCall();
  marks_ = place.count();
  first_ = place.first();
  place.enter(number);
}
CallOf::~CallOf() {
  if (currentThread.inKernel) thisScheduler().currentPlace().leave(marks_, first_);
}

static bool isOf(std::uint64_t mark, unsigned number) { return mark >> 32 == number; }
static bool isOfLoop(std::uint64_t mark) { return (mark >> 32) % 4 == 1; }

void Place::cut(std::size_t count) {
  while (count_ < count) add(0, 0);  // a loop that a jump has entered
  count_ = count;
}

void Place::add(unsigned number, unsigned count) {
  if (count_ == room_) {
    checker::leaveThread();
    room_ = 2 * room_ + 16;
    auto more = std::make_unique<std::uint64_t[]>(room_);
    std::copy_n(marks_.get(), count_, more.get());
    marks_ = std::move(more);
    checker::resumeThread();
  }
  marks_[count_++] = std::uint64_t{number} << 32 | count;
}

void Place::set(unsigned number, unsigned loops, unsigned loop) {
  const std::size_t end = first_ + loops;
  if (loops > 0 && (count_ < end || !isOf(marks_[end - 1], loop))) {  // its first condition
    cut(end - 1);
    add(loop, 0);
  }
  cut(end);
  add(number, 0);
}

void Place::setIteration(unsigned number, unsigned outer) {
  const std::size_t at = first_ + outer;
  const bool goesOn = count_ > at && isOf(marks_[at], number);
  const unsigned before = goesOn ? static_cast<unsigned>(marks_[at]) : 0;
  cut(at);
  add(number, before + 1);
}

void Place::countCall() {
  if (count_ == first_ || isOfLoop(marks_[count_ - 1])) add(0, 0);
  ++marks_[count_ - 1];
}

void Place::enter(unsigned function) {
  add(function, 0);
  first_ = count_;
}

void Place::leave(std::size_t count, std::size_t first) {
  count_ = count;
  first_ = first;
}

int Place::compare(const Place& other) const {
  for (std::size_t i = 0; i < count_ && i < other.count_; ++i)
    if (marks_[i] != other.marks_[i]) return marks_[i] < other.marks_[i] ? -1 : 1;
  return count_ < other.count_ ? -1 : count_ > other.count_ ? 1 : 0;
}

}  // namespace nbody::executor
