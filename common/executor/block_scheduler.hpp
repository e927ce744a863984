/// \file
/// Runs one block at a time on the calling OS thread, with a fiber per CUDA thread that waits.
#pragma once

#include <array>
#include <atomic>
#include <boost/context/fiber.hpp>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "executor/grid.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

constexpr int kMaxThreads = 1024;  ///< in a block
constexpr int kWarpSize = 32;

enum class ThreadState : std::uint8_t {
  notStarted,
  ready,
  atBarrier,
  atWarp,
  atConverge,  ///< see converge()
  atCondition,  ///< see waitUntil()
  atGrid,
  returned,
};

struct Fiber;

/// A thread's place in the program, as marks that compare like the program's order: for each call
/// from the kernel to the running function the loops around it with their iterations, the statement
/// with the number of calls from it, and the function. See setPlace(). Not a std::vector, whose code
/// the linker may take from a kernel's object, where the checker watches it.
class Place {
 public:
  void clear() { count_ = first_ = 0; }
  void set(unsigned number, unsigned loops, unsigned loop);
  void setIteration(unsigned number, unsigned outer);
  /// Counts a call from the statement.
  void countCall();
  void enter(unsigned function);
  /// Returns to a function whose marks began at \p first, \p count in all.
  void leave(std::size_t count, std::size_t first);
  std::size_t count() const { return count_; }
  std::size_t first() const { return first_; }
  /// Returns a negative number if it is before \p other, 0 if it is the same place.
  int compare(const Place& other) const;

 private:
  void cut(std::size_t count);
  void add(unsigned number, unsigned count);

  std::unique_ptr<std::uint64_t[]> marks_;  ///< number, then 32 bits of count
  std::size_t count_ = 0, room_ = 0;
  std::size_t first_ = 0;  ///< first mark of the running function
};

struct BlockThread {
  // The members that a barrier needs fit one line of the cache: the threads of a block take turns.
  alignas(64) uint3 index;
  int rank;  ///< linear index in the block, x fastest
  ThreadState state;
  WarpOperation operation;
  unsigned mask;
  Site site;
  Fiber* fiber;

  int source;
  std::uint64_t value;
  std::uint64_t result;
  Gather gather;
  bool (*holds)(const void* data);  ///< condition of atCondition
  const void* data;
  Place place;
  std::uint64_t ownState = 0;  ///< ownState() when it last waited in a loop
  const char* line = "";  ///< the line of that loop, which a report shows
  const void* lock = nullptr;  ///< the word that it has last taken as a lock
  std::uint64_t lockValue = 0;  ///< the word's value then
  std::size_t lockBytes = 0;
  const void* wanted = nullptr;  ///< the lock that it has last tried to take

  bool holdsLock() const {
    return lock != nullptr && std::memcmp(lock, &lockValue, lockBytes) == 0;
  }
};

/// A stack on which CUDA threads run one after another, until one of them has to wait.
struct Fiber {
  boost::context::fiber context;
  BlockThread* thread = nullptr;
  Stack stack;
  std::jmp_buf abandoned;  ///< target of BlockScheduler::abandonThread()
};

struct BlockWarp {
  unsigned arrived;  ///< lanes that wait at a warp function
  unsigned returned;  ///< lanes that have left the kernel or do not exist
};

/// A barrier of several warps.
struct WarpsGroup {
  unsigned arrived = 0;
  unsigned phase = 0;  ///< number of completed waits
  std::uint64_t sum = 0;  ///< sum of the values so far
  std::uint64_t result = 0;  ///< result of the last wait
};

/// Turns of blocks that are resident at the same time.
class Turns {
 public:
  enum class Verdict {
    goOn,
    ended,  ///< another block has failed
    stuck,  ///< all resident blocks wait in loops, and nothing has changed for a long time
  };

  /// Lets other blocks run, because all threads of the calling one wait. \p isQuiet: none of them
  /// has changed anything since the block's last turn.
  /// \p most: begins a further block only if fewer are resident.
  /// \p locks: what a report says of threads that hold locks, if some do.
  virtual Verdict give(bool isQuiet, std::uint64_t most, const std::string& locks) = 0;
  /// Returns what a report says of the grid's other blocks.
  virtual std::string describe() const = 0;
  /// Returns whether a block has given its turn away although it holds a lock.
  bool isLockHeld() const { return holders_ > 0; }

 protected:
  ~Turns() = default;

  std::atomic<int> holders_ = 0;  ///< such blocks
};

/// The scheduler of one OS thread, or for a cooperative launch of one block. A fiber never leaves
/// its OS thread: compilers keep addresses of thread_local data over a switch, and a fiber resumed
/// elsewhere would silently use another thread's data.
class BlockScheduler {
 public:
  BlockScheduler() { main_.stack = ownStack(); }

  /// Runs block number \p block of \p grid, x fastest, until all its threads have returned or wait
  /// for the grid. Throws KernelError.
  /// Gives turns to other blocks through \p turns, if there are any.
  void run(const Grid& grid, std::uint64_t block, Turns* turns = nullptr);
  /// Continues a block that waited for the grid, when all blocks have arrived. Throws KernelError.
  void resume();
  bool waitsForGrid() const { return atGrid_ > 0; }
  /// Returns the line of the grid barrier.
  Site gridSite() const { return gridSite_; }

  /// Implements the function of that name in threads.hpp.
  int waitForBlock(Site site, bool predicate);
  std::uint64_t waitForWarp(Site site, WarpOperation operation, unsigned mask, std::uint64_t value,
                            int source, Gather gather);
  unsigned converge(Site site);
  Place& currentPlace() {
    keepsMore_ = true;
    return current_->place;
  }
  std::uint64_t waitForGroup(Site site, unsigned first, unsigned size, std::uint64_t value,
                             Fold fold);
  void waitUntil(Site site, bool (*holds)(const void* data), const void* data);
  void waitForGrid(Site site);
  void waitAtNamed(Site site, unsigned id, unsigned threads, bool isWaiting);
  void yieldThread();
  /// Lets each other thread that can run continue. Compilers insert calls of it, so it cannot throw.
  void takeTurn();
  void countAtomic(bool changes);
  void beforeLock(const void* address);
  void afterLock(const void* address, const void* value, std::size_t bytes);
  void* dynamicSharedBytes();
  std::size_t dynamicSharedSize() const { return grid_->sharedBytes; }

  /// Returns "thread (0,0,0) of block (1,0,0)" for the calling CUDA thread.
  std::string describeCurrent() const { return describe(*current_); }
  /// Ends the calling CUDA thread and its block with a message.
  [[noreturn]] void failHere(std::string message);
  /// Ends the calling CUDA thread and its block for the checker. It jumps and runs no destructors,
  /// because a compiler assumes that the inserted call cannot throw.
  [[noreturn]] void abandonThread();

 private:
  using State = ThreadState;
  using Thread = BlockThread;
  struct Unwind {};  ///< thrown in a waiting CUDA thread to end it after an error
  struct DynamicSharedWord {
    alignas(16) std::uint32_t word[4];
  };

  void prepare(const Grid& grid, std::uint64_t block);
  void prepareThreads();
  void setIndices();
  void enter();
  void setCurrent(Thread& thread);
  void suspend();
  void wait(Site site, State state);
  Thread* takeReady();
  Fiber& fiberFor(Thread& thread);
  std::unique_ptr<Fiber> makeFiber();
  void switchTo(Fiber& next);
  void runThreads(Fiber& fiber);
  void runThread(Thread& thread);

  std::vector<int> inOrder();
  void makeReady(Thread& thread);
  void noteChange();
  void giveTurn(std::uint64_t mostBlocks = ~std::uint64_t{0});
  void giveTurnOf(std::uint64_t mostBlocks);
  std::string describeLocks() const;
  void lookForLines();
  std::uint64_t ownState() const;
  void releaseBarrier();
  bool releaseConditions();
  bool releaseConverged();
  void convergeWarp(Thread* lanes, int count);
  bool tryCompleteWarp(int warp, unsigned mask, WarpOperation operation);
  void noteBranches(const Thread* lanes, unsigned participants) const;
  void deliver(Thread* lanes, unsigned participants);
  void deliverShuffle(Thread* lanes, unsigned participants);
  std::string whyAbsent(const Thread& other, int lane) const;
  void reportMissingLane(const Thread* lanes, unsigned participants) const;
  void releaseWarp(int warp, unsigned participants);
  void fail(std::string message);
  std::string describeWaits(bool& votes) const;
  std::string describeDeadlock() const;
  std::string describe(const Thread& thread) const;

  const Grid* grid_ = nullptr;
  std::uint64_t block_ = 0;
  int count_ = 0;  ///< threads in the block
  int running_ = 0;  ///< threads that have not returned
  bool keepsMore_ = true;  ///< threads have places or locks, which the next block must not see
  int atBarrier_ = 0;  ///< threads that wait at a barrier
  int atConverge_ = 0;
  int atCondition_ = 0;
  int atGrid_ = 0;
  Site barrier_{};  ///< line of the first thread at the barrier
  Site gridSite_{};  ///< the same for the grid's barrier
  bool barriersDiffer_ = false, gridBarriersDiffer_ = false;
  int votes_ = 0;  ///< true predicates of the threads at the barrier
  int voted_ = 0;  ///< the same for the last barrier
  int atomics_ = 0;  ///< atomics since a thread last had to wait
  int lockTurns_ = 0;  ///< turns that threads with a lock have given to others
  int yields_ = 0;  ///< yields since a thread last waited otherwise
  // Threads that wait in loops take turns. If a round of turns has not changed anything, other blocks
  // get theirs.
  Turns* turns_ = nullptr;
  std::size_t idleTurns_ = 0;  ///< yields since something changed or another block had its turn
  bool isQuiet_ = false;  ///< nothing has changed since another block had its turn
  bool asksForLines_ = false;  ///< each thread that waits in a loop notes its line
  std::array<Thread, kMaxThreads> threads_;
  std::array<BlockWarp, kMaxThreads / kWarpSize> warps_;
  std::array<WarpsGroup, kMaxThreads / kWarpSize> groups_;  ///< groups by their first warp
  std::array<WarpsGroup, 16> named_;  ///< barriers by their number, as in PTX
  std::deque<Thread*> ready_;
  std::mt19937_64 random_;
  std::vector<DynamicSharedWord> dynamicShared_;

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Fiber main_;  ///< the OS thread itself
  Fiber* active_ = &main_;  ///< the fiber that runs
  Fiber* switchedFrom_ = nullptr;  ///< the fiber that ran before it
  Thread* current_ = nullptr;

  bool failed_ = false;
  std::string message_;
};

/// Returns the scheduler of the calling OS thread.
BlockScheduler& thisScheduler();
/// Sets the scheduler of the calling OS thread; null: its own.
void useScheduler(BlockScheduler* scheduler);

}  // namespace nbody::executor
