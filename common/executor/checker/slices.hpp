/// \file
/// Numbers of slices, and their owners.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "executor/checker/checker.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Facts about a launch or another operation, for reports.
struct OperationInfo {
  Operation operation;
  bool isLaunch = false;
  bool isCooperative = false;
  dim3 blocks;
  dim3 threads;
  std::size_t sharedBytes = 0;  ///< dynamic, of each block
  Slice first = 0;  ///< its slices are this or larger; those of earlier operations are smaller
};

/// Owner of a slice.
struct SliceOwner {
  std::shared_ptr<const OperationInfo> operation;
  std::uint64_t block = 0;
  Slice blockFirst = 0;  ///< identifies the block in the program
};

/// Starts slices of this block of this operation. Returns the first of \p count numbers.
Slice startSlices(std::shared_ptr<const OperationInfo> operation, std::uint64_t block,
                  unsigned count);
/// Returns the first of \p count more consecutive slices of the running block.
Slice moreSlices(unsigned count);
/// Ends the calling OS thread's part in a launch.
void endSlices();

/// Returns a number for what begins here: larger than all slices so far and smaller than later
/// ones. No block may run. Sometimes numbers start again at 1, and all accesses are forgotten.
Slice boundarySlice();
/// Returns how often numbers have started again.
unsigned slicesGeneration();
/// Returns whether the launch has used up all numbers, so that races are no longer found.
bool areSlicesExhausted();
/// Skips \p count numbers, for tests.
void skipSlices(Slice count);

/// Returns the owner; nothing for a slice of long ago.
std::optional<SliceOwner> ownerOf(Slice slice);
/// Returns whether the running block has \p slice although its numbers are not consecutive.
bool isOwnOlder(Slice slice);
/// Forgets the owners of slices before \p slice.
void forgetOwners(Slice slice);

}  // namespace nbody::executor::checker
