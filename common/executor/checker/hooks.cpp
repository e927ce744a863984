// The calls by which the executor keeps the checker informed.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

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

}  // namespace

void beginGrid(const Grid& grid) {
  addStaticShared();
  resetClocks();
  running.firstBlock = blocksBefore;
  blocksBefore += grid.blocks.x * grid.blocks.y * grid.blocks.z;
}

void beginBlock(std::uint64_t block, void* shared, std::size_t bytes, std::size_t redZone) {
  setDynamicShared(shared, bytes, redZone);
  for (Array* array : arrays())
    if (array->space == Space::shared) array->clear();
  forgetLastArray();  // so that the next use marks it as touched
  if (clocksUsed) resetClocks();
  running.block = running.firstBlock + static_cast<std::uint32_t>(block);
  running.epoch = 0;
}

void enterThread(int rank, const void* stackLow, const void* stackHigh) {
  running.thread = rank;
  running.stackLow = static_cast<const char*>(stackLow);
  running.stackHigh = static_cast<const char*>(stackHigh);
  running.kernel = true;
}

void leaveThread() { running.kernel = false; }

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

/// Adds the error that stopped the grid to \p texts, unless the checker stopped it itself.
static void addError(std::vector<std::string>& texts, std::exception_ptr error) {
  if (!error) return;
  try {
    std::rethrow_exception(error);
  } catch (const KernelError& stop) {
    if (*stop.what() != '\0') texts.push_back(stop.what());
  }  // anything else is no report: it goes on to the launch's caller
}

void endGrid(const Grid& grid, std::exception_ptr error) {
  constexpr int kMaxReports = 8;  // the others are only counted
  std::vector<std::string> texts;
  addError(texts, error);
  for (std::string& text : describe(takeFindings(), grid)) texts.push_back(std::move(text));
  if (texts.empty()) return;
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMaxReports; ++i) all += texts[i] + "\n";
  if (texts.size() > kMaxReports)
    all += "executor: " + std::to_string(texts.size() - kMaxReports) + " more reports left out\n";
  if (options().printReports) std::fputs(all.c_str(), stderr);
  throw KernelError("the executor reports " + std::to_string(texts.size()) +
                        (texts.size() == 1 ? " bug" : " bugs") + " in the kernel launched at " +
                        place(grid.file, grid.line),
                    std::move(all));
}

}  // namespace nbody::executor::checker
