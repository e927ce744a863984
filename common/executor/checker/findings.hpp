/// \file
/// Findings of the checker in an operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/checker/slices.hpp"

namespace nbody::executor::checker {

/// "tile[17]", of the element at \p offset; \p code is the access.
std::string nameOf(Array& array, std::ptrdiff_t offset, std::uint32_t code);

/// "main.cu:12", of the line that allocates it; empty if that is not known.
std::string whereAllocated(const Array& array);

/// " of 256 elements"
std::string sizeText(const Array& array);

/// "an address that no array has (4096 bytes past the end of values)", or what else is known of it
std::string strayText(const char* address);

/// "shared memory"
const char* memoryName(Space space);

/// A side of a race, as the shadow has it.
struct RecordedSide {
  Record record;
  bool writes;
};

/// An access, as reports say it.
struct Side {
  std::uint32_t code = 0;  ///< of the access, as offset in the program; 0 where it is not known
  int thread = 0;
  std::uint64_t block = 0;
  std::shared_ptr<const OperationInfo> operation = {};  ///< null: of one of long ago
  bool writes = false;
  bool atomic = false;
  bool ofBlockScope = false;  ///< an atomic for its block alone
};

enum class Bug { outside, misaligned, race, notAwaited, unwritten, constant, wrongLane };

/// How far apart the two sides of a race are: the farther, the fewer waits could order them.
enum class Apart { lanes, warps, blocks, operations };

/// A bug at one pair of instructions, as it came up first.
struct Finding {
  Bug bug;
  Space space;
  std::string memory;  ///< "global memory", "a local array"
  std::string what;  ///< "tile[17]"
  std::string array = {};  ///< "tile"; what, if the array has no name
  std::string size = {};  ///< of an array whose bounds were left: " of 256 elements"
  Side earlier = {};  ///< of a race, or the copy that is not awaited
  Side later = {};
  std::size_t accessBytes = 0;
  std::string where = {};  ///< where the compiler has told; else it is later's
  Apart apart = Apart::lanes;  ///< race only: the farthest of its pairs, which the two sides are
  std::uint64_t count = 1;
  std::string rule = {};  ///< of a misaligned access: what it breaks
  std::vector<int> moreLines = {};  ///< of the same, near by: the fields of a structure
  bool hasTwoSides() const { return bug == Bug::race || bug == Bug::notAwaited; }
  bool isNote = false;  ///< it may be harmless: what is undefined reaches no result
};

/// Two accesses that no barrier orders. Records a race unless something else makes them right.
void foundRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later);
void recordRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later);

/// Records the running thread's races that only later events decide. A write counts if it changed
/// the memory, because writing the same value again is no bug. A read that races with an atomic
/// counts unless forgiveReads() has removed it.
void decideRaces();

/// The running thread does a compare-and-swap: what it has read of these bytes just before was only
/// a guess at what it compares them with, and races with no atomic.
void forgiveReads(const void* address, std::size_t bytes);
/// A read there is such a guess: of threads that then found nothing to swap its races with atomics
/// are notes.
void rememberGuess(Record read);

/// \p isResult: the value is one; else the running thread holds it (undefined.hpp).
void foundUnwritten(Array& array, std::size_t word, Record now, bool isResult);

/// A write to a __constant__ variable.
void foundConstantWrite(Array& array, std::size_t first, Record now);

/// An access outside \p array, or outside all arrays where that is null. Ends the block: what the
/// access would read or break is anything.
[[noreturn]] void foundOutside(Array* array, const char* address, std::size_t bytes, bool writes,
                               std::uint32_t code);

/// An access as a \p type, which has to lie at a multiple of \p alignment bytes. A GPU ends the kernel.
[[noreturn]] void foundMisaligned(const char* address, const std::string& type,
                                  std::size_t alignment, const std::string& where);

/// An index that the compiler's own check refused.
[[noreturn]] void foundIndex(Finding finding);

/// All since the last call.
std::vector<Finding> takeFindings();

}  // namespace nbody::executor::checker
