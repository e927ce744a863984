/// \file
/// Launches of the CPU executor: a grid of blocks spread over OS threads, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "executor/language/vector_types.hpp"

namespace nbody::executor {

/// Returns the number of blocks of a grid, or of threads of a block.
constexpr std::uint64_t product(const dim3& d) { return std::uint64_t{d.x} * d.y * d.z; }

/// A kernel did what CUDA does not allow. The message tells what, where, and which threads.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
  KernelError(const std::string& what, std::string reports)
      : std::runtime_error(what), reports(std::move(reports)) {}

  std::string reports;  ///< reports that the checker has printed
};

/// Order of the ready threads of a block, and of the blocks of a grid. A correct kernel gives the
/// same result in all orders.
enum class Order { forward, reverse, random };

struct Options {
  Order order = Order::forward;
  std::uint64_t seed = 1;  ///< seed for Order::random
  int osThreads = 0;  ///< 0: one per core
  bool printReports = true;  ///< the checker's, on stderr
  /// After an access that is only a little out of an array's bounds the kernel continues, as it may
  /// on a GPU. The access is reported, and touches memory that belongs to no array.
  bool goOnOutside = false;
  /// The threads of a block take turns at every access, as if they ran at the same speed. A missing
  /// barrier then seldom changes a result. Only with the checker, which sees the accesses.
  bool inTurns = false;
  int patience =
      3;  ///< seconds without a change after which threads that wait in loops are reported
  // Launches and blocks that are checked for races. Bounds and unwritten memory are checked in all.
  int checkLaunches = 0;  ///< the first so many from each line in the source; 0: all
  int checkBlocks = 0;  ///< about so many of a grid, with neighbours; 0: all
};

/// Returns the options of the following launches. The initial values come from the environment:
/// NBODY_EXECUTOR_ORDER=forward|reverse|random[:SEED], and NBODY_EXECUTOR_THREADS, _PATIENCE,
/// _CHECK_LAUNCHES and _CHECK_BLOCKS=COUNT.
Options& options();

/// A kernel with its arguments and shape.
struct Grid {
  dim3 blocks;
  dim3 threads;  ///< in each block
  std::size_t sharedBytes;
  const char* file;  ///< file of the launch
  int line;
  void (*runThread)(const void* kernel);  ///< runs the kernel for the calling CUDA thread
  const void* kernel;
  bool cooperative = false;  ///< its threads may wait for the grid
  std::size_t sharedLimit = 48 * 1024;  ///< bytes; on a GPU a kernel must ask for more
  std::uint64_t resident = 1;  ///< blocks that a GPU can run at the same time
  int patience = 1;  ///< factor of Options::patience
};

/// Returns why a GPU would refuse so many blocks of so many threads; empty if it would not.
std::string wrongShape(const dim3& blocks, const dim3& threads);

/// Runs every block of \p grid. Returns when all have ended. Throws KernelError.
void runGrid(const Grid& grid);

/// Threads that may have a stack at the same time, because Linux allows a process 65,530 mappings.
constexpr std::uint64_t kMaxThreadsAtOnce = 16384;

/// Returns why the executor cannot run a grid whose threads may wait for it; empty if it can.
std::string whyNotCooperative(const Grid& grid, std::uint64_t blocks);
/// Runs the blocks of such a grid in turns on \p osThreads OS threads, each block until it waits for
/// the grid. Returns the error that ended them, if any.
std::exception_ptr runCooperative(const Grid& grid, std::uint64_t blocks, int osThreads);

/// Memory of the calling OS thread's stack; empty if unknown.
struct Stack {
  const char* low = nullptr;
  std::size_t bytes = 0;
};
Stack ownStack();

/// Ends the calling CUDA thread and its block. The launch's KernelError has \p message.
[[noreturn]] void failHere(std::string message);

/// Returns "thread (0,0,0) of block (1,0,0)" for the calling CUDA thread.
std::string describeCurrentThread();

}  // namespace nbody::executor
