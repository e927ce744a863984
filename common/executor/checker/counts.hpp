/// \file
/// Counts accesses to memory like a profiler: those of a warp's lanes at one line are one request.
///
/// NBODY_EXECUTOR_COUNTS=FILE writes them to FILE as JSON when the program ends; "-" prints them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

enum class Access : std::uint8_t { load, store, atomic, branch, atomicLoad };

constexpr int kBanks = 32;
using BankWords = std::array<std::uint64_t, kBanks>;
using Addresses = std::vector<std::uint64_t>;

/// An address for each lane that takes part.
struct Lanes {
  std::uint32_t mask = 0;
  Addresses addresses = {};
};

/// Sectors of global memory or wavefronts of shared memory that a request takes, and how many the
/// same bytes take at least.
struct Cost {
  std::uint64_t needed = 0, least = 0;
  BankWords words = {};  ///< of each bank of shared memory, in the part that takes longest
};

/// Returns what a request of a warp costs, which accesses \p bytes per lane.
Cost costOf(Memory memory, const Lanes& lanes, std::size_t bytes, Access access);

void recordAccess(const void* address, std::size_t bytes, Access access, const void* code);
/// Records that the running thread is at a branch and takes the way with this number.
void recordBranch(std::uint64_t way, const void* code);

/// Counts an access of the running thread, if its block is counted.
inline void count(const void* address, std::size_t bytes, Access access, const void* code) {
  if (running.counts) [[unlikely]]
    recordAccess(address, bytes, access, code);
}

/// Counts a kernel, copy or fill, the last of \p inARow that had to wait for one another; 0:
/// another operation.
void countOperation(std::uint32_t inARow);
/// Returns the largest power of two that divides the size: a GPU copies 12 bytes in pieces of 4.
inline std::uint8_t pieceOf(std::size_t bytes) {
  const std::size_t piece = bytes & ~(bytes - 1);
  return piece < running.mostPiece ? static_cast<std::uint8_t>(piece) : running.mostPiece;
}
/// Starts or resumes counting a block of the launch, which has \p blocks, on the calling OS thread.
void beginCounting(std::uint64_t block, std::uint64_t blocks, bool isResumed);
/// Groups the accesses since the last call, because the block's threads have met at a barrier or
/// the block ends.
void flushCounts(bool isBarrier = false);

}  // namespace nbody::executor::checker
