#include "executor/checker/running.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/operations.hpp"
#include "executor/checker/report.hpp"
#include "executor/checker/see.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

Watch watchOfLaunch = Watch::races;
std::uint64_t blocksOfLaunch = 0;
std::uint64_t rowOfLaunch = 0;  ///< blocks per row of the grid

/// Returns whether this launch is one of the first from its line.
bool isAmongFirst(const Grid& grid) {
  static std::map<std::pair<std::string, int>, int> launches;
  const int most = options().checkLaunches;
  return most <= 0 || ++launches[{grid.file, grid.line}] <= most;
}

/// Returns a number that looks random, made from \p number.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
  return number ^ number >> 29;
}

/// Returns whether a block is in the sample: the first and last ones and some others, each with its
/// next block and the one below it, with which it shares borders.
bool isOfSample(std::uint64_t block) {
  const auto most = static_cast<std::uint64_t>(std::max(options().checkBlocks, 0));
  if (most == 0 || blocksOfLaunch <= most) return true;
  const std::uint64_t atEnds = (most + 5) / 6;
  if (block < atEnds || block >= blocksOfLaunch - atEnds) return true;
  const std::uint64_t every = std::max<std::uint64_t>(1, 9 * blocksOfLaunch / (2 * most));
  const auto isChosen = [&](std::uint64_t b) { return mixed(b) % every == 0; };
  return isChosen(block) || (block >= 1 && isChosen(block - 1)) ||
         (block >= rowOfLaunch && isChosen(block - rowOfLaunch));
}

/// Adds the error that stopped the grid to \p texts, unless the checker stopped it itself.
void addError(std::vector<std::string>& texts, std::exception_ptr error) {
  if (!error) return;
  try {
    std::rethrow_exception(error);
  } catch (const KernelError& stop) {
    if (*stop.what() != '\0') texts.push_back(stop.what());
  }  // other errors go to the launch's caller
}

}  // namespace

Watch watchOfBlock(std::uint64_t block) {
  if (watchOfLaunch != Watch::races) return watchOfLaunch;
  return isOfSample(block) ? Watch::races : Watch::bounds;
}

void beginGrid(const Grid& grid, int osThreads) {
  watchOfLaunch = isAmongFirst(grid) ? Watch::races : Watch::bounds;
  blocksOfLaunch = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  rowOfLaunch = grid.blocks.x;
  severalThreads = osThreads > 1;
  forgetGoneArrays();
  noteLauncher();
  addDeviceVariables();
  beginLaunch(grid);
  forgetHandovers();
}

void endGrid(const Grid& grid, std::exception_ptr error) {
  std::vector<std::string> texts;
  addError(texts, error);
  for (std::string& text : describe(takeFindings())) texts.push_back(std::move(text));
  endSeenLaunch(!texts.empty());
  if (texts.empty()) return;
  std::string all = joined(texts);
  if (options().printReports) std::fputs(all.c_str(), stderr);
  throw KernelError("the executor reports " + std::to_string(texts.size()) +
                        (texts.size() == 1 ? " bug" : " bugs") + " in the kernel launched at " +
                        place(grid.file, grid.line),
                    std::move(all));
}

}  // namespace nbody::executor::checker
