/// \file
/// The numbers of slices, and whose they are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "executor/checker/checker.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Facts that reports give about a launch or another operation.
struct OperationInfo {
  Operation operation;
  bool isLaunch = false;
  dim3 blocks;
  dim3 threads;
  Slice first = 0;  ///< all its slices are this or larger; those of earlier operations are smaller
};

/// Owner of a slice.
struct SliceOwner {
  std::shared_ptr<const OperationInfo> operation;
  std::uint64_t block = 0;
  Slice blockFirst = 0;  ///< names the block in the program
};

/// The slices to come are of this block of this operation. Numbers the first \p count.
Slice startSlices(std::shared_ptr<const OperationInfo> operation, std::uint64_t block,
                  unsigned count);
/// Numbers \p count more slices of the running block, one after another; returns the first.
Slice moreSlices(unsigned count);
/// Ends the calling OS thread's part in a launch.
void endSlices();

/// A number that stands for what begins here: larger than those of all slices so far, and smaller
/// than those to come. No block may run. Now and then all starts again at 1, and all accesses are
/// forgotten.
Slice boundarySlice();
/// How often that has been.
unsigned slicesGeneration();
/// Whether the launch has used up all numbers, so that races are no longer looked for.
bool areSlicesExhausted();
/// Leaves out \p count numbers, for tests.
void skipSlices(Slice count);

/// Nothing for a slice of long ago.
std::optional<SliceOwner> ownerOf(Slice slice);
/// Whether the running block has \p slice though numbers of others lie between.
bool isOwnOlder(Slice slice);
/// Forgets whose the slices before \p slice are.
void forgetOwners(Slice slice);

}  // namespace nbody::executor::checker
