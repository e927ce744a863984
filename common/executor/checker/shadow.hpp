/// \file
/// What the checker remembers of each word of memory: who wrote it last and who read it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nbody::executor::checker {

/// An access of a CUDA thread to a word.
struct Access {
  std::uint32_t block;  ///< from 1 over all launches, so that it names the launch too; 0: no access
  std::uint32_t epoch;  ///< barriers that the block had passed
  std::uint32_t code;  ///< address in the program, as offset
  std::uint16_t threadAndBytes;  ///< rank in the block; above 12 bits the bytes of the word
  std::uint16_t clock;  ///< __syncwarp() calls that the thread had passed

  int thread() const { return threadAndBytes & 0xfff; }
  unsigned bytes() const { return threadAndBytes >> 12; }  ///< a bit for each
};

/// The shadow of a word of 4 bytes: the last access of each kind. Two reads, of threads as far
/// apart as there were: a write that races with any read then races with one of them, whoever
/// writes.
struct Cell {
  Access write, read, otherRead, atomic;
};
static_assert(sizeof(Cell) == 64);  // a cache line

constexpr std::size_t kWordBytes = 4;

/// The bytes of word \p word that [first, end) covers, a bit for each.
inline unsigned bytesOfWord(std::size_t word, std::size_t first, std::size_t end) {
  const std::size_t low = std::max(first, word * kWordBytes) - word * kWordBytes;
  const std::size_t high = std::min(end, (word + 1) * kWordBytes) - word * kWordBytes;
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

/// What the executor is running on this OS thread.
struct Running {
  bool kernel = false;  ///< rather than the scheduler or the host, whose accesses are not checked
  int thread = 0;  ///< rank in the block
  std::uint32_t block = 0;  ///< as in Access
  std::uint32_t firstBlock = 0;  ///< of the launch
  std::uint32_t epoch = 0;
  const char* stackLow = nullptr;  ///< of the CUDA thread
  const char* stackHigh = nullptr;
};
inline constinit thread_local Running running;

constexpr int kLanes = 32;
/// clocks[t][l]: how many __syncwarp() calls of lane l of its warp thread t has followed; at most
/// 65,535, and races after those that a __syncwarp() would order go unseen.
inline constinit std::uint16_t clocks[1024][kLanes] = {};

/// Stops the checks while the checker's own code runs: it may share inlined functions of the
/// standard library with a kernel's file, and those are instrumented.
class Pause {
 public:
  Pause() : checked_(running.kernel) { running.kernel = false; }
  ~Pause() { running.kernel = checked_; }
  Pause(const Pause&) = delete;

 private:
  bool checked_;
};

/// Whether \p earlier happened before what the running thread does now, by the kernel's own
/// barriers.
inline bool isOrdered(const Access& earlier) {
  if (earlier.block != running.block) return earlier.block < running.firstBlock;
  if (earlier.epoch != running.epoch || earlier.thread() == running.thread) return true;
  return earlier.thread() / kLanes == running.thread / kLanes &&
         clocks[running.thread][earlier.thread() % kLanes] >= earlier.clock;
}

/// How far the thread of \p earlier is from the running one: the more, the fewer barriers order
/// them.
inline int distanceOf(const Access& earlier) {
  if (earlier.block < running.firstBlock) return 0;
  if (earlier.block != running.block) return 4;
  if (earlier.epoch != running.epoch) return 1;
  return earlier.thread() / kLanes != running.thread / kLanes ? 3 : 2;
}

inline void rememberRead(Cell& cell, const Access& now) {
  const bool sameThread = cell.read.thread() == now.thread() && cell.read.block == now.block;
  if (!sameThread && distanceOf(cell.read) >= distanceOf(cell.otherRead))
    cell.otherRead = cell.read;
  cell.read = now;
}

}  // namespace nbody::executor::checker
