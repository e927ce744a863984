/// \file
/// State that a block's scheduler keeps of its CUDA threads, their warps and their stacks.
#pragma once

#include <boost/context/fiber.hpp>
#include <csetjmp>
#include <cstdint>

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

struct BlockThread {
  uint3 index;
  int rank;  ///< linear index in the block, x fastest
  ThreadState state;
  WarpOperation operation;
  unsigned mask;
  int source;
  std::uint64_t value;
  std::uint64_t result;
  Gather gather;
  bool (*holds)(const void* data);  ///< what the thread waits for at atCondition
  const void* data;
  Site site;
  Fiber* fiber;
};

/// A stack to run CUDA threads on, one after another, until one of them has to wait.
struct Fiber {
  boost::context::fiber context;
  BlockThread* thread = nullptr;
  Stack stack;
  std::jmp_buf abandoned;  ///< where BlockScheduler::abandonThread() goes on
};

struct BlockWarp {
  unsigned arrived;  ///< lanes that wait at a warp function
  unsigned returned;  ///< lanes that have left the kernel or never were
};

/// A wait for several warps.
struct WarpsGroup {
  unsigned arrived = 0;
  unsigned phase = 0;  ///< waits that have ended
  std::uint64_t sum = 0;  ///< of those that have arrived
  std::uint64_t result = 0;  ///< of the last wait
};

}  // namespace nbody::executor
