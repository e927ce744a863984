/// \file
/// What the checker has found in a launch, and the text of its reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/grid.hpp"

namespace nbody::executor::checker {

struct Side {
  Access access;
  bool writes;
  bool atomic = false;
};

enum class Bug { outside, race, unwritten };

/// A bug at one pair of instructions, as it came up first.
struct Finding {
  Bug bug;
  Space space;
  std::string memory;  ///< "global memory", "a local array"
  std::string what;  ///< "tile[17]"
  std::string size = {};  ///< of an array whose bounds were left: "of 256 elements"
  Side earlier = {};  ///< race only
  Side later = {};
  std::size_t accessBytes = 0;
  std::string where = {};  ///< where the compiler has told; else it is later's
  bool acrossBlocks = false;  ///< any of the races
  bool acrossWarps = false;
  std::uint64_t count = 1;
};

/// Two accesses that no barrier orders. Records a race unless something else makes them right.
void foundRace(Array& array, std::size_t word, Side earlier, Side later);
void recordRace(Array& array, std::size_t word, Side earlier, Side later);

/// Records the races among writes of the running thread that have changed what was there: to write
/// the same once more is no bug. What a write has written shows only after it.
void decideWrites();

void foundUnwritten(Array& array, std::size_t word, const Access& now);

/// An access outside \p array, or outside all arrays where that is null. Ends the block: what the
/// access would read or break is anything.
[[noreturn]] void foundOutside(Array* array,
                               const char* address,
                               std::size_t bytes,
                               bool writes,
                               std::uint32_t code);

/// An index that the compiler's own check refused.
[[noreturn]] void foundIndex(Finding finding);

/// All since the last call.
std::vector<Finding> takeFindings();

/// One text for each bug, the first line of which begins "executor: ". Findings of the same bug at
/// the same lines are one.
std::vector<std::string> describe(std::vector<Finding> findings, const Grid& grid);

}  // namespace nbody::executor::checker
