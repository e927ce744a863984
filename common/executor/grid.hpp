/// \file
/// The CPU executor's launch: a grid of blocks spread over OS threads, and how it schedules them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "executor/language/vector_types.hpp"

namespace nbody::executor {

/// A kernel did what CUDA does not allow. The message says what, where, and which threads.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
  KernelError(const std::string& what, std::string reports)
      : std::runtime_error(what), reports(std::move(reports)) {}

  std::string reports;  ///< of the checker, which has printed them
};

/// In which order the ready threads of a block, and the blocks of a grid, take their turns.
/// A correct kernel gives the same answer in all of them.
enum class Order { forward, reverse, random };

struct Options {
  Order order = Order::forward;
  std::uint64_t seed = 1;  ///< of Order::random
  int osThreads = 0;  ///< 0: one for each core; under ASan always one
  bool printReports = true;  ///< of the checker, on stderr
  // Launches and blocks to check for races. Bounds and unwritten memory are checked in all.
  int checkLaunches = 0;  ///< of each place in the source, the first so many; 0: all
  int checkBlocks = 0;  ///< about so many of a grid, neighbours among them; 0: all
};

/// The options of the launches to come. The start values come from the environment:
/// NBODY_EXECUTOR_ORDER=forward|reverse|random[:SEED], and NBODY_EXECUTOR_THREADS,
/// _CHECK_LAUNCHES and _CHECK_BLOCKS=COUNT.
Options& options();

/// A kernel with its arguments and shape, as runGrid() needs it.
struct Grid {
  dim3 blocks;
  dim3 threads;  ///< in each block
  std::size_t sharedBytes;
  const char* file;  ///< of the launch
  int line;
  void (*runThread)(const void* kernel);  ///< runs the kernel for the calling CUDA thread
  const void* kernel;
  bool cooperative = false;  ///< its threads may wait for the grid
  std::size_t sharedLimit = 48 * 1024;  ///< bytes; a kernel gets more on a GPU only by asking
};

/// Throws KernelError where a GPU would refuse the launch.
void checkShape(const Grid& grid);

/// Runs every block of \p grid; returns when all have ended. Throws KernelError.
void runGrid(const Grid& grid);

/// Memory of the calling OS thread's own stack; no bytes if it is not known.
struct Stack {
  const char* low = nullptr;
  std::size_t bytes = 0;
};
Stack ownStack();

/// Ends the calling CUDA thread and its block: the launch's KernelError says \p message.
[[noreturn]] void failHere(std::string message);

/// "thread (0,0,0) of block (1,0,0)", of the calling CUDA thread.
std::string describeCurrentThread();

}  // namespace nbody::executor
