// Calls with which the scheduler informs the checker.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/counts.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/operations.hpp"
#include "executor/checker/see.hpp"
#include "executor/checker/undefined.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

/// State of the block that an OS thread runs.
struct BlockState {
  std::unique_ptr<Array> dynamicShared;
  unsigned warps = 0;
  Slice laneSlices[1024][kLanes] = {};
  Slice slices[1024] = {};  ///< per thread, if later than its warp's first slice of the epoch
  unsigned generation = 0;  ///< see slicesGeneration()
  unsigned arraysVersion = 0;
};

BlockState& ownBlock() {
  static thread_local const std::unique_ptr<BlockState> own = makeState<BlockState>();
  return *own;
}

void setDynamicShared(void* begin, std::size_t bytes, std::size_t redZone) {
  std::unique_ptr<Array>& array = ownBlock().dynamicShared;
  if (array && array->begin == begin && array->bytes == bytes) return;
  if (array) {
    forgetSitesOf(*array);
    removeArray(*array);
  }
  array = std::make_unique<Array>(static_cast<char*>(begin), bytes, Space::shared, kDynamicShared);
  array->redZone = redZone;
  addArray(*array);
}

/// Returns the slices of an epoch: one for all threads, then one per warp.
unsigned slicesOfEpoch() { return ownBlock().warps + 1; }

void startBlock(std::uint64_t number, bool isResumed) {
  flushCounts();  // counts the previous block
  const std::uint64_t blocks = std::uint64_t{::gridDim.x} * ::gridDim.y * ::gridDim.z;
  running.counts = false;
  beginCounting(number, blocks, isResumed);
  endSeeing();
  if (beginSeeing(number, blocks, isResumed) || options().inTurns) running.counts = true;
  const unsigned threads = ::blockDim.x * ::blockDim.y * ::blockDim.z;
  ownBlock().warps = (threads + kLanes - 1) / kLanes;
  beginUndefined();
  running.isResumed = isResumed;
  forgetCopies();
  running.watchOfBlock = areSlicesExhausted() ? Watch::bounds : watchOfBlock(number);
  running.epochFirst = startSlices(currentOperation(), number, slicesOfEpoch());
}

Slice sliceOf(int thread) {
  const Slice ofWarp = running.epochFirst + 1 + static_cast<Slice>(thread / kLanes);
  return std::max(ofWarp, running.threadSlices[thread]);
}

}  // namespace

/// Number of OS threads that take part in the launch.
static std::atomic<int> workers = 0;

void beginWorker() {
  ++callsOfRuntime;
  if (++workers > 1) severalThreads = true;
  addStaticShared();
  BlockState& own = ownBlock();
  if (own.arraysVersion != arraysVersion) {
    forgetSites();
    own.arraysVersion = arraysVersion;
  }
  if (own.generation != slicesGeneration()) {
    std::memset(own.laneSlices, 0, sizeof own.laneSlices);
    std::memset(own.slices, 0, sizeof own.slices);
    own.generation = slicesGeneration();
  }
  running.laneSlices = own.laneSlices;
  running.threadSlices = own.slices;
  joinOperation();
}

void endWorker() {
  --callsOfRuntime;
  --workers;
  decideUnwritten();
  flushCounts();
  endSeeing();
  running.counts = false;
  flushSites();
  endSlices();
}

void beginBlock(std::uint64_t number, void* shared, std::size_t bytes, std::size_t redZone) {
  setDynamicShared(shared, bytes, redZone);
  decideUnwritten();
  for (Array* array : sharedArrays()) array->forgetWritten();
  startBlock(number, false);
}

void leavePhase() {
  leaveUndefined();
  endSlices();
}
void enterPhase() { joinOperation(); }

void resumeBlock(std::uint64_t number, void* shared, std::size_t bytes, std::size_t redZone) {
  setDynamicShared(shared, bytes, redZone);
  decideUnwritten();
  // Another block has used the same shadow since, so everything counts as written.
  for (Array* array : sharedArrays()) array->setWritten(0, array->bytes, true);
  startBlock(number, true);
}

void enterThread(int rank, const void* stackLow, std::size_t stackBytes) {
  running.stack = {static_cast<const char*>(stackLow), stackBytes};
  running.setActor(rank, sliceOf(rank));
  running.scopeIsBlock = false;
  running.mostPiece = kLargestPiece;
  loadUndefined(rank);
  running.watch = running.watchOfBlock;
}

void leaveThread() {
  running.watch = Watch::nothing;
  if (running.counts) finishSeenWrite();
  saveUndefined();
  decideRaces();
}

void resumeThread() {
  running.watch = running.watchOfBlock;
  loadUndefined(running.thread);
}

void setScope(bool isBlock) {
  running.scopeIsBlock = isBlock;
  if (isBlock && !someScopesAreBlocks) someScopesAreBlocks = true;
}

bool isWatched() { return running.watch != Watch::nothing; }

void readText(const char* text, std::size_t most, const void* code) {
  if (!isWatched()) return;
  for (std::size_t k = 0; k < most; ++k) {
    checkAccess<Action::read>(text + k, 1, code);
    if (text[k] == '\0') return;
  }
}

Slice beginSlice() {
  const Slice next = moreSlices(1);
  ownBlock().slices[running.thread] = next;
  running.setActor(running.thread, next);
  return next;
}

void passBarrier() {
  flushCounts(true);
  running.epochFirst = moreSlices(slicesOfEpoch());
}

void passWarpBarrier(int warp, unsigned lanes) {
  BlockState& own = ownBlock();
  Slice(*const ofWarp)[kLanes] = own.laneSlices + warp * kLanes;
  Slice most[kLanes] = {};
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (int i = 0; i < kLanes; ++i) most[i] = std::max(most[i], ofWarp[lane][i]);
    most[lane] = std::max(most[lane], sliceOf(warp * kLanes + lane));
  }
  const Slice next = moreSlices(1);
  const int inWarp = std::min(
      kLanes, static_cast<int>(::blockDim.x * ::blockDim.y * ::blockDim.z) - warp * kLanes);
  if (std::popcount(lanes) < inWarp) someLanesMeet = true;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::memcpy(ofWarp[lane], most, sizeof most);
    own.slices[warp * kLanes + lane] = next;
  }
  shareTakenOver(warp * kLanes, lanes);
}

void describeDynamicShared(std::size_t elementBytes, const char* file, int line) {
  Array& array = *ownBlock().dynamicShared;
  array.elementBytes = elementBytes;
  array.file = file;
  array.line = line;
}

}  // namespace nbody::executor::checker
