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

/// Returns "main.cu:12", the line that allocates it; empty if unknown.
std::string whereAllocated(const Array& array);

/// A side of a race, from the shadow.
struct RecordedSide {
  Record record;
  bool writes;
};

/// An access, for reports.
struct Side {
  std::uint32_t code = 0;  ///< the access's code, as offset in the program; 0: unknown
  int thread = 0;
  std::uint64_t block = 0;
  std::shared_ptr<const OperationInfo> operation = {};  ///< null: an operation long ago
  bool writes = false;
  bool atomic = false;
  bool ofBlockScope = false;  ///< an atomic only for its block
};

enum class Bug {
  outside,
  misaligned,
  race,
  notAwaited,
  unwritten,
  constant,
  wrongLane,
  hostCode,
  noReturn
};

/// Distance of the two sides of a race. The larger it is, the fewer waits could order them.
enum class Apart { lanes, warps, blocks, operations };

/// A bug at one pair of instructions, at its first occurrence.
struct Finding {
  Bug bug;
  Space space;
  std::string memory;  ///< "global memory", "a local array"
  std::string what;  ///< "tile[17]"
  std::string array = {};  ///< "tile"; same as what if the array has no name
  std::string size = {};  ///< for an access out of bounds: " of 256 elements"
  Side earlier = {};  ///< other side of a race, or the copy that nothing awaits
  Side later = {};
  std::size_t accessBytes = 0;
  std::string where = {};  ///< line from the compiler, if it gave one; otherwise that of later
  Apart apart = Apart::lanes;  ///< for races: of the farthest pair, which the sides are
  std::uint64_t count = 1;  ///< accesses; for a race, pairs of accesses to 4 bytes
  std::string rule = {};  ///< for a misaligned access: the rule that it breaks
  std::vector<int> moreLines = {};  ///< nearby lines with the same bug: fields of a structure
  bool hasTwoSides() const { return bug == Bug::race || bug == Bug::notAwaited; }
  bool isNeverWritten = false;  ///< unwritten memory that no later access of the launch writes
  bool goesOn = false;  ///< the kernel continues after an access out of bounds
  bool isNote = false;  ///< it may be harmless, because the undefined value reaches no result
  bool isFlag = false;  ///< race of accesses that a GPU makes as a whole, and that hand memory over
};

/// Records a race of two accesses that no barrier orders, unless something else makes them correct.
void foundRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later);
void recordRace(Array& array, std::size_t word, RecordedSide earlier, RecordedSide later);

/// Decides the running thread's races that depend on later events. A write counts if it changed the
/// memory, because writing the same value again is no bug. A read that races with an atomic counts
/// unless forgiveReads() has removed it.
void decideRaces();

/// Notes that the running thread only compares the value that it has just read.
void noteCompared(const void* address);
/// Notes that a compare-and-swap at \p code expects this value. If it is always the same one, an
/// element is set only once, and a comparison sees the old value or the new one.
void noteSwap(std::uint32_t code, std::uint64_t expected);
/// Notes that the accesses at \p code are volatile.
void noteVolatile(std::uint32_t code);

/// Reports a compare-and-swap of the running thread. The plain read just before it was only a guess
/// of the value, and races with no atomic.
void forgiveReads(const void* address, std::size_t bytes);
/// Remembers that a read is such a guess. Without a swap, its races with atomics become notes.
void rememberGuess(Record read);
/// Remembers that the value of a read is only compared.
void rememberCompared(Record read);

/// Decides which reads of unwritten memory came too early, and which memory was never written. The
/// memory of the running block is about to be another's.
void decideUnwritten();

/// Records a read of unwritten memory. \p isResult: the value is a result; otherwise the running
/// thread holds it (undefined.hpp).
void foundUnwritten(Array& array, std::size_t word, Record now, bool isResult);
/// Records that the running thread uses a copy of this word, which was made at \p code. Returns the
/// finding's bit; 0 if it is known to reach a result.
Undefined findUnwritten(Array& array, std::size_t word, std::uint32_t code);

/// Records that the running thread has the value of a local variable that was never written. \p
/// where is its line; if that is empty, \p code is the place. Returns the finding's bit.
Undefined foundUnwrittenLocal(const std::string& what, const std::string& where,
                              std::uint32_t code);

/// Records a write to a __constant__ variable.
void foundConstantWrite(Array& array, std::size_t first, Record now);

/// Records an access outside \p array, or if that is null outside all arrays. Ends the block,
/// because the access could do anything. With Options::goOnOutside it returns if the access is near
/// the array. Its place is \p code, or \p where.
void foundOutside(Array* array, const char* address, std::size_t bytes, bool writes,
                  std::uint32_t code, const std::string& where = "");

/// Records an access of a \p type at an address that is \p past bytes after a correct one. \p rule
/// says which are correct: "A float4 lies at a multiple of 16 bytes". isEnd: a GPU ends the kernel.
[[noreturn]] void foundMisaligned(const char* address, const std::string& type,
                                  const std::string& rule, std::size_t past,
                                  const std::string& where, bool isEnd = true);

/// Records an index that the compiler's own check refused, or a function without a return.
/// array: the one that is missed, if it is known.
[[noreturn]] void foundIndex(Finding finding, Array* array = nullptr);

/// Returns all findings since the last call.
std::vector<Finding> takeFindings();

}  // namespace nbody::executor::checker
