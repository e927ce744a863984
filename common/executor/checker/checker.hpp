/// \file
/// Calls from the executor to the checker, which finds races, accesses out of bounds and reads of
/// uninitialised memory. Without NBODY_CHECK_RACE none of it is compiled.
///
/// How it works: a build for checking compiles kernels with -fsanitize=thread,bounds, so that each
/// of their accesses to memory calls a function. It links this folder's functions instead of the
/// sanitizer's. They know blocks, warps and barriers, which the sanitizer does not.
///
/// docs/pages/executor.md lists what it misses. It also misses a pointer that leaves a static shared array
/// for the next one or for the thread's indices (ASan finds both), and a race of an atomic and a plain read
/// by a thread that compares and swaps there before its next wait. An atomic after a fence orders what came
/// before the fence, for every thread that has used the same address in an atomic since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "executor/grid.hpp"

namespace nbody::executor::checker {

/// A launch, a copy, a fill, or host code that uses memory of kernels.
struct Operation {
  std::string what;  ///< "the kernel step", "a copy"
  std::string file;
  int line = 0;
  std::uint32_t stream = 0;  ///< the stream's number; host code may have its own
  std::uint32_t number = 0;  ///< in the stream, from 1, ascending
  /// Last operation of each stream that has ended before this one begins; 0 or no entry: none.
  std::vector<std::uint32_t> after;
  /// Others that need not come after it have yet to run: what it finds unwritten they may write.
  bool isEarly = false;
  /// Kernels, copies and fills that had to wait for one another, to this one; 0: it is none of these.
  std::uint32_t inARow = 0;
};

}  // namespace nbody::executor::checker

#ifdef NBODY_CHECK_RACE

namespace nbody::executor::checker {

inline constexpr bool kOn = true;

// --- From the scheduler.

/// A launch begins, whose blocks \p osThreads OS threads run.
void beginGrid(const Grid& grid, int osThreads);
/// Prints what was found in the launch and throws if that is anything. \p error stopped it.
void endGrid(const Grid& grid, std::exception_ptr error);
/// Each OS thread that runs blocks of the launch begins and ends with these.
void beginWorker();
void endWorker();
void beginBlock(std::uint64_t block, void* dynamicShared, std::size_t bytes, std::size_t redZone);
/// From here on the kernel runs, as thread \p rank of the block, on that stack.
void enterThread(int rank, const void* stackLow, std::size_t stackBytes);
void leaveThread();
/// The kernel's code goes on after a leaveThread() of the runtime's.
void resumeThread();
/// Whether the calling OS thread runs a kernel's code, and that is checked.
bool isWatched();
/// Whether the atomics and fences to come are of the block's scope.
void setScope(bool isBlock);
/// The running thread prints: what it holds reaches a result.
void passOnUndefined();
void passBarrier();
/// Each OS thread of a cooperative launch ends with these the part before a grid barrier and begins
/// the next one; between, when all have ended it, one says that all blocks have met. resumeBlock()
/// names the block that goes on next.
void leavePhase();
void passGridBarrier();
void enterPhase();
void resumeBlock(std::uint64_t block, void* dynamicShared, std::size_t bytes, std::size_t redZone);
/// The lanes \p lanes of \p warp have met at a __syncwarp().
void passWarpBarrier(int warp, unsigned lanes);
/// These lanes of the warp whose first thread is that one have got each other's values; or each that
/// of a lane, sources[lane].
void shareUndefined(int firstThread, unsigned lanes);
void shuffleUndefined(int firstThread, unsigned lanes, const int (&sources)[32]);
/// A thread gets the value of a lane that does not take part, which \p text says; \p line is where.
void readWrongLane(int thread, const std::string& text, const std::string& line);
/// The threads of the block put what they hold to other uses.
void leaveUndefined();
/// The running thread has begun an asynchronous copy, and has made its part of it: of \p bytes bytes the
/// words first, first + step, ... It ends with the phase of \p barrier; where that is null the thread
/// waits for it.
void startCopy(void* to, std::size_t bytes, std::size_t first, std::size_t step,
               const void* barrier);
/// The thread's copies since its last call of this are a batch.
void commitCopies();
/// The thread waits for all its batches but the last ones.
void finishCopies(std::size_t butLast);
/// The phase of \p barrier has ended; a thread has waited for that.
void endCopiesOf(const void* barrier);
void finishCopiesOf(const void* barrier);
/// A block begins.
void forgetCopies();

// --- From launches.

/// Whether the launches to come are checked. What one that is not may write counts as written.
void setEnabled(bool checks);
bool isEnabled();
/// Says where the arguments of the next kernel lie, because it may read and write them.
void setArguments(const void* begin, std::size_t bytes);

// --- From streams. Without these calls every launch comes after all before it.

/// Until endOperation() the launch and the accesses to come are this operation's.
void beginOperation(Operation operation);
/// The operation reads or writes these bytes; those of no array are passed over.
void accessRange(const void* begin, std::size_t bytes, bool writes);
/// The operation allocates these bytes: to others it is as a write, but nothing is written.
void allocateRange(const void* begin, std::size_t bytes);
/// Whether the range is of an array, and nothing has written any of it.
bool isNowhereWritten(const void* begin, std::size_t bytes);
/// Counts the elements of an array in a range: those that were never written, and all.
struct Unwritten {
  std::size_t elements = 0, of = 0;
};
Unwritten unwrittenElements(const void* begin, std::size_t bytes);
/// The operation copies them to the host, the first from there: a note, if it is some but not all.
void notePartlyWritten(const void* begin, Unwritten unwritten);
/// The operation reads what nothing has written, from there on.
void readUnwritten(const void* begin);
/// Returns the reports of what accessRange() and readUnwritten() have found, as they would be
/// printed; those of a launch come with its KernelError.
std::string endOperation();
/// The reports of unwritten memory that early operations have read, now that all have run; without
/// those that a race with a later one has explained.
std::string heldReports();
/// The notes so far: of what is undefined but reaches no result, and the like.
std::vector<std::string> takeNotes();
void addNote(const std::string& text);

// --- From memory.

/// Elements of dynamic shared memory as the kernel sees them, and where it asks for them.
void describeDynamicShared(std::size_t elementBytes, const char* file, int line);
/// Allocates a global array; null where there is no memory.
void* allocate(std::size_t bytes);
void release(void* pointer);
/// Watches memory that another allocator owns, between red zones of that many bytes. \p written: its
/// bytes count as written.
void adopt(void* begin, std::size_t bytes, std::size_t redZone, const std::string& name,
           bool written);
void disown(void* begin);
/// A copy has been made: its bytes are as written as those of \p from, all of them where these are
/// no device array's.
void copyWritten(void* to, const void* from, std::size_t bytes);
/// Says what an address is that no kernel may use; empty where that is not known.
void setStrayNames(std::string (*nameOf)(const void* address));
void describe(void* pointer, const std::string& name, std::size_t elementBytes,
              const char* allocatedIn = nullptr, int allocatedLine = 0);
/// The host has written these bytes, or has poisoned them.
void markWritten(void* pointer, std::size_t bytes);
void markUnwritten(void* pointer, std::size_t bytes);
/// Bytes of global arrays that kernels have read so far, atomic updates left out.
std::uint64_t globalBytesRead();

}  // namespace nbody::executor::checker

#else
#include "executor/checker/no_checker.hpp"
#endif
