/// \file
/// Runs one block at a time on the calling OS thread: a fiber for each CUDA thread that has to
/// wait.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <csetjmp>
#include <cstdint>
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

/// The scheduler of one OS thread. A fiber never leaves its OS thread: compilers keep the addresses
/// of thread_local data over a switch, and a fiber resumed elsewhere would silently use another
/// thread's.
class BlockScheduler {
 public:
  BlockScheduler() { main_.stack = ownStack(); }
  ~BlockScheduler();

  /// Runs block number \p block of \p grid, x fastest. Throws KernelError.
  void run(const Grid& grid, std::uint64_t block);

  /// As the functions of threads.hpp, for the CUDA thread that calls.
  void waitForBlock(Site site);
  std::uint64_t waitForWarp(Site site,
                            WarpOperation operation,
                            unsigned mask,
                            std::uint64_t value,
                            int source);

  void* dynamicSharedBytes();

  /// Ends the calling CUDA thread and its block, for the checker. By a jump, which runs no
  /// destructors: the caller is code that a compiler has put in and takes not to throw.
  [[noreturn]] void abandonThread();

 private:
  enum class State : std::uint8_t { notStarted, ready, atBarrier, atWarp, returned };
  struct Fiber;

  struct Thread {
    uint3 index;
    int rank;  ///< linear index in the block, x fastest
    State state;
    WarpOperation operation;
    unsigned mask;
    int source;
    std::uint64_t value;
    std::uint64_t result;
    Site site;
    Fiber* fiber;
  };

  /// A stack to run CUDA threads on, one after another, until one of them has to wait.
  struct Fiber {
    boost::context::fiber context;
    Thread* thread = nullptr;
    Stack stack;
    std::jmp_buf abandoned;  ///< where abandonThread() goes on
  };

  struct Warp {
    unsigned arrived;  ///< lanes that wait at a warp function
    unsigned returned;  ///< lanes that have left the kernel or never were
  };

  struct Unwind {};  ///< thrown through a waiting CUDA thread to end it after an error
  struct DynamicSharedWord {
    alignas(16) std::uint32_t word[4];
  };

  void prepare(const Grid& grid, std::uint64_t block);
  void setCurrent(Thread& thread);
  void suspend();
  Thread* takeReady();
  Fiber& fiberFor(Thread& thread);
  std::unique_ptr<Fiber> makeFiber();
  void switchTo(Fiber& next);
  void runThreads(Fiber& fiber);
  void runThread(Thread& thread);

  std::vector<int> inOrder();
  void makeReady(Thread& thread);
  void releaseBarrier();
  bool tryCompleteWarp(int warp, unsigned mask, WarpOperation operation);
  void deliverShuffle(Thread* lanes, unsigned participants, unsigned returned);
  void releaseWarp(int warp, unsigned participants);
  void fail(std::string message);
  std::string describeDeadlock() const;
  std::string describe(const Thread& thread) const;

  const Grid* grid_ = nullptr;
  int count_ = 0;  ///< threads in the block
  int running_ = 0;  ///< that have not returned
  int atBarrier_ = 0;  ///< that wait at a barrier
  Site barrier_{};  ///< of the first of them
  bool barriersDiffer_ = false;
  std::array<Thread, kMaxThreads> threads_;
  std::array<Warp, kMaxThreads / kWarpSize> warps_;
  std::deque<Thread*> ready_;
  std::mt19937_64 random_;
  std::vector<DynamicSharedWord> dynamicShared_;

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Fiber main_;  ///< the OS thread's own
  Fiber* active_ = &main_;  ///< the fiber that runs
  Fiber* switchedFrom_ = nullptr;  ///< the fiber that ran before it
  Thread* current_ = nullptr;

  bool failed_ = false;
  std::string message_;
};

/// The scheduler of the calling OS thread.
BlockScheduler& thisScheduler();

}  // namespace nbody::executor
