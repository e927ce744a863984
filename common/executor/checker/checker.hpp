/// \file
/// Calls from the executor to the checker, which finds races, accesses out of bounds and reads of
/// uninitialised memory. Without NBODY_CHECK_RACE the calls do nothing.
///
/// How it works: a build for checking compiles kernels with -fsanitize=thread,bounds, so that each
/// access to memory calls a function. It links this folder's functions instead of the sanitizer's,
/// because they know blocks, warps and barriers.
///
/// docs/pages/plain_cuda.md lists what it misses. It also misses a race of an
/// atomic with a plain read by a thread that does a compare-and-swap there before its next wait. An
/// atomic after a fence orders everything before the fence, for every thread that has since used
/// the same address in an atomic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "executor/grid.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {
struct BlockThread;
enum class ThreadState : std::uint8_t;
}  // namespace nbody::executor

namespace nbody::executor::checker {

/// A launch, a copy, a fill, or host code that uses memory of kernels.
struct Operation {
  std::string what;  ///< "the kernel step", "a copy"
  std::string file;
  int line = 0;
  std::uint32_t stream = 0;  ///< the stream's number; host code may have its own
  std::uint32_t number = 0;  ///< number in the stream, from 1, ascending
  /// Last operation of each stream that has ended before this one begins; 0 or no entry: none.
  std::vector<std::uint32_t> after;
  /// True if operations that are not ordered after this one have yet to run and may write what it
  /// finds unwritten.
  bool isEarly = false;
  /// Number of kernels, copies and fills that had to wait for one another, including this one; 0:
  /// it is none of these.
  std::uint32_t inARow = 0;
};

#ifdef NBODY_CHECK_RACE
inline constexpr bool kOn = true;
#define NBODY_CHECKER(declaration, ...) declaration
#else
inline constexpr bool kOn = false;
// Each function does nothing, and returns what follows its declaration.
#define NBODY_CHECKER(declaration, ...) \
  inline declaration { return __VA_ARGS__; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// --- Calls from the scheduler.

/// Begins a launch, whose blocks run on \p osThreads OS threads.
NBODY_CHECKER(void beginGrid(const Grid& grid, int osThreads));
/// Prints the findings of the launch and throws if there are any. \p error stopped it.
NBODY_CHECKER(void endGrid(const Grid& grid, std::exception_ptr error));
/// Each OS thread that runs blocks of the launch calls these at its start and end.
NBODY_CHECKER(void beginWorker());
NBODY_CHECKER(void endWorker());
NBODY_CHECKER(void beginBlock(std::uint64_t block, void* dynamicShared, std::size_t bytes,
                              std::size_t redZone));
/// Enters the kernel's code as thread \p rank of the block, on this stack.
NBODY_CHECKER(void enterThread(int rank, const void* stackLow, std::size_t stackBytes));
NBODY_CHECKER(void leaveThread());
/// Reports a stack on which threads run.
NBODY_CHECKER(void addStack(const void* low, std::size_t bytes));
/// Returns "a local variable" or "shared memory (tile)" for an address that only the running thread
/// or its block may use; empty otherwise.
NBODY_CHECKER(std::string privateName(const void* address), "");
/// Continues the kernel's code after a leaveThread() of the runtime.
NBODY_CHECKER(void resumeThread());
/// Returns whether the calling OS thread runs a kernel's code that is checked.
NBODY_CHECKER(bool isWatched(), false);
/// Sets whether the following atomics and fences have block scope.
NBODY_CHECKER(void setScope(bool isBlock));
/// Reports that the running thread prints, so that undefined values it holds reach a result.
NBODY_CHECKER(void passOnUndefined());
/// Reports that the running thread reads a text of at most \p most characters, at \p code.
NBODY_CHECKER(void readText(const char* text, std::size_t most, const void* code));
/// Reports, for such a page, that a thread begins to wait.
NBODY_CHECKER(void seeWait(const BlockThread& thread, Site site, ThreadState state));
NBODY_CHECKER(void passBarrier());
/// In a cooperative launch, each OS thread calls these at the end of a phase, which a grid barrier
/// ends, and at the start of the next. In between, when all have ended it, one reports that all
/// blocks have met. resumeBlock() names the block that continues.
NBODY_CHECKER(void leavePhase());
NBODY_CHECKER(void passGridBarrier());
NBODY_CHECKER(void enterPhase());
NBODY_CHECKER(void resumeBlock(std::uint64_t block, void* dynamicShared, std::size_t bytes,
                               std::size_t redZone));
/// Reports that the lanes \p lanes of \p warp have met at a __syncwarp().
NBODY_CHECKER(void passWarpBarrier(int warp, unsigned lanes));
/// Reports that these lanes of the warp that begins with \p firstThread got each other's values; or
/// that each got the value of lane sources[lane].
NBODY_CHECKER(void shareUndefined(int firstThread, unsigned lanes));
NBODY_CHECKER(void shuffleUndefined(int firstThread, unsigned lanes, const int (&sources)[32]));
/// Reports that a thread gets the value of a lane that does not take part. \p text says which, \p
/// line says where.
NBODY_CHECKER(void readWrongLane(int thread, const std::string& text, const std::string& line));
/// Reports that the threads of the block no longer use the values they hold.
NBODY_CHECKER(void leaveUndefined());
/// Reports an address that is not \p alignment bytes, or a multiple, after the beginning of its array.
/// \p instruction needs that.
NBODY_CHECKER(void requireAligned(const void* address, unsigned alignment, const char* instruction,
                                  Site site));
/// Reports an access of \p bytes bytes at \p last if they are not in the array that holds \p first.
NBODY_CHECKER(void requireInArray(const void* first, const void* last, std::size_t bytes,
                                  Site site));
/// Reports that the running thread began an asynchronous copy of \p bytes bytes and did its part:
/// words first, first + step, ... The copy ends with the phase of \p barrier. If that is null, the
/// thread waits for it.
NBODY_CHECKER(void startCopy(void* to, std::size_t bytes, std::size_t first, std::size_t step,
                             const void* barrier));
/// Makes a batch of the thread's copies since its last call.
NBODY_CHECKER(void commitCopies());
/// Reports that the thread waits for all its batches except the last \p butLast.
NBODY_CHECKER(void finishCopies(std::size_t butLast));
/// Reports that the phase of \p barrier has ended and a thread has waited for it.
NBODY_CHECKER(void endCopiesOf(const void* barrier));
NBODY_CHECKER(void finishCopiesOf(const void* barrier));
/// Forgets all copies, because a block begins.
NBODY_CHECKER(void forgetCopies());

// --- Calls from launches.

/// Sets the next kernel's parameters that are pointers. The page of accesses uses their names.
NBODY_CHECKER(void setParameters(const std::vector<Parameter>& ofKernel));
/// Sets the place of the next kernel's arguments, because the kernel may access them.
NBODY_CHECKER(void setArguments(const void* begin, std::size_t bytes));

// --- Calls from streams. Without them every launch is ordered after all earlier ones.

/// Begins an operation. Launches and accesses belong to it until endOperation().
NBODY_CHECKER(void beginOperation(Operation operation));
/// Reports that the operation reads or writes these bytes. Bytes of no array are ignored.
NBODY_CHECKER(void accessRange(const void* begin, std::size_t bytes, bool writes));
/// Reports that the operation allocates these bytes. For others this is like a write.
NBODY_CHECKER(void allocateRange(const void* begin, std::size_t bytes));
/// Returns whether the range is in an array and none of it was written.
NBODY_CHECKER(bool isNowhereWritten(const void* begin, std::size_t bytes), false);
/// Counts of elements of an array in a range: those that were never written, and all.
struct Unwritten {
  std::size_t elements = 0, of = 0;
};
NBODY_CHECKER(Unwritten unwrittenElements(const void* begin, std::size_t bytes), {});
/// Notes that the operation copies elements to the host and some were never written.
NBODY_CHECKER(void notePartlyWritten(const void* begin, Unwritten unwritten));
/// Reports that the operation reads uninitialised memory at \p begin.
NBODY_CHECKER(void readUnwritten(const void* begin));
/// Returns the reports of accessRange() and readUnwritten(), in the form in which they are printed.
/// Reports of a launch come with its KernelError.
NBODY_CHECKER(std::string endOperation(), "");
/// Returns reports of unwritten memory that early operations have read, now that all operations
/// have run. Omits those that a race with a later operation explains.
NBODY_CHECKER(std::string heldReports(), "");
/// Returns the notes so far, for example about undefined values that reach no result.
NBODY_CHECKER(std::vector<std::string> takeNotes(), {});
NBODY_CHECKER(void addNote(const std::string& text));

/// Adds memory to that which host code may not touch. Then \p touched is called with the access and
/// the code after it.
NBODY_CHECKER(void watchHost(const void* begin, std::size_t bytes,
                             void (*touched)(const void* address, std::size_t bytes, bool writes,
                                             const void* code)));
NBODY_CHECKER(void unwatchHost());
/// Reports that the calling thread enters the runtime, or ends a call (-1).
NBODY_CHECKER(void enterRuntime(int calls));
/// Reports that the runtime calls the program. Returns the calls that the thread is in.
NBODY_CHECKER(int leaveRuntime(), 0);

/// Returns what a word of host code is the address of, if it is code or a virtual table: "the
/// function twice(float)", "the virtual functions of Square". Otherwise empty.
NBODY_CHECKER(std::string nameOfCode(const void* word), "");
/// Reports that host code has written such an address to \p place, which kernels may use.
NBODY_CHECKER(void addHostCode(const void* place, const std::string& name));

// --- Calls from memory functions.

/// Describes the elements of dynamic shared memory as the kernel sees them, and its line.
NBODY_CHECKER(void describeDynamicShared(std::size_t elementBytes, const char* file, int line));
/// Allocates a global array; returns null if there is no memory.
NBODY_CHECKER(void* allocate(std::size_t bytes), nullptr);
NBODY_CHECKER(void release(void* pointer));
/// Watches memory of another allocator, between red zones of \p redZone bytes. \p written: its
/// bytes count as written.
NBODY_CHECKER(void adopt(void* begin, std::size_t bytes, std::size_t redZone,
                         const std::string& name, bool written));
NBODY_CHECKER(void disown(void* begin));
/// Copies whether bytes are written from \p from. If that is no device array, all are.
NBODY_CHECKER(void copyWritten(void* to, const void* from, std::size_t bytes));
/// Sets a function that describes an address that no kernel may use; empty if it is unknown.
NBODY_CHECKER(void setStrayNames(std::string (*nameOf)(const void* address)));
NBODY_CHECKER(void describe(void* pointer, const std::string& name, std::size_t elementBytes,
                            const char* allocatedIn = nullptr, int allocatedLine = 0));
/// Reports that the host wrote these bytes, or poisoned them.
NBODY_CHECKER(void markWritten(void* pointer, std::size_t bytes));
NBODY_CHECKER(void markUnwritten(void* pointer, std::size_t bytes));
/// Returns how many bytes of global arrays kernels have read so far, without atomic updates.
NBODY_CHECKER(std::uint64_t globalBytesRead(), 0);
/// Writes the counts and the recorded threads of a program that ends without a call of exit().
NBODY_CHECKER(void writeRecords());

#ifndef NBODY_CHECK_RACE
#pragma GCC diagnostic pop
#endif
#undef NBODY_CHECKER

}  // namespace nbody::executor::checker
