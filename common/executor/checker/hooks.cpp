// The calls by which the executor keeps the checker informed.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/program.hpp"

namespace nbody::executor::checker {

namespace {

std::unique_ptr<Array> dynamicShared;
std::uint32_t blocksBefore = 1;  ///< of all launches so far, and 0 for none
bool clocksUsed = false;

void resetClocks() {
  std::memset(clocks, 0, sizeof clocks);
  for (int thread = 0; thread < 1024; ++thread) clocks[thread][thread % kLanes] = 1;
  clocksUsed = false;
}

void setDynamicShared(void* begin, std::size_t bytes, std::size_t redZone) {
  if (dynamicShared && dynamicShared->begin == begin && dynamicShared->bytes == bytes) return;
  if (dynamicShared) removeArray(*dynamicShared);
  dynamicShared =
      std::make_unique<Array>(static_cast<char*>(begin), bytes, Space::shared, kDynamicShared);
  dynamicShared->redZone = redZone;
  addArray(*dynamicShared);
}

void startBlock(std::uint64_t block) {
  forgetLastArray();  // so that the next use marks it as touched
  if (clocksUsed) resetClocks();
  running.block = running.firstBlock + static_cast<std::uint32_t>(block);
  running.epoch = 0;
}

}  // namespace

void beginGrid(const Grid& grid) {
  addStaticShared();
  addDeviceVariables();
  resetClocks();
  forgetHandovers();
  running.firstBlock = blocksBefore;
  blocksBefore += grid.blocks.x * grid.blocks.y * grid.blocks.z;
}

void beginBlock(std::uint64_t block, void* shared, std::size_t bytes, std::size_t redZone) {
  setDynamicShared(shared, bytes, redZone);
  for (Array* array : arrays())
    if (array->space == Space::shared) array->clear();
  startBlock(block);
}

void passGridBarrier(const Grid& grid) {
  running.firstBlock = blocksBefore;
  blocksBefore += grid.blocks.x * grid.blocks.y * grid.blocks.z;
}

void resumeBlock(std::uint64_t block, void* shared, std::size_t bytes, std::size_t redZone) {
  setDynamicShared(shared, bytes, redZone);
  // Another block has used the same shadow since: its accesses are forgotten, and everything counts
  // as written.
  for (Array* array : arrays()) {
    if (array->space != Space::shared) continue;
    array->clear();
    array->setWritten(0, array->bytes, true);
    array->touched = true;
  }
  startBlock(block);
}

void enterThread(int rank, const void* stackLow, const void* stackHigh) {
  running.thread = rank;
  running.stackLow = static_cast<const char*>(stackLow);
  running.stackHigh = static_cast<const char*>(stackHigh);
  running.kernel = isEnabled();
}

void leaveThread() {
  running.kernel = false;
  decideWrites();
}

void passBarrier() { ++running.epoch; }

void passWarpBarrier(int warp, unsigned lanes) {
  clocksUsed = true;
  std::uint16_t(*const ofWarp)[kLanes] = clocks + warp * kLanes;
  std::uint16_t most[kLanes] = {};
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    for (int i = 0; i < kLanes; ++i) most[i] = std::max(most[i], ofWarp[std::countr_zero(rest)][i]);
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::memcpy(ofWarp[lane], most, sizeof most);
    if (ofWarp[lane][lane] < 0xffff) ++ofWarp[lane][lane];
  }
}

void describeDynamicShared(std::size_t elementBytes, const char* file, int line) {
  dynamicShared->elementBytes = elementBytes;
  dynamicShared->file = file;
  dynamicShared->line = line;
}

}  // namespace nbody::executor::checker
