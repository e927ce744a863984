/// \file
/// State of the code that an OS thread runs, and whether an earlier access is ordered before it.
#pragma once

#include <array>
#include <atomic>

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

struct Array;

/// A bit for each finding of an undefined value that has reached no result yet.
using Undefined = std::uint64_t;

struct Range {
  const char* begin = nullptr;
  std::size_t bytes = 0;

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - begin) < bytes;
  }
};

struct Slices {
  Slice first = 0;
  Slice count = 0;

  bool hold(Slice slice) const { return slice - first < count; }
};

/// Mistakes that are looked for in the code that runs.
enum class Watch : std::uint8_t {
  nothing,  ///< the scheduler's and the host's, or a launch's that is not checked
  bounds,  ///< out of bounds and unwritten memory
  races,  ///< these and races
};

/// The memory that an instruction of a kernel has used last, which is most often what it uses next.
struct SiteCache {
  const char* begin = nullptr;  ///< of the array
  std::size_t bytes = 0;
  const Slice* covered = nullptr;  ///< as in Array
  const std::uint8_t* written = nullptr;
  const Last* last = nullptr;
  std::uint64_t bytesRead = 0;  ///< not yet counted for the array
  Array* array = nullptr;
  std::uint32_t code = 0;
  std::uint16_t site = 0;
  bool isUsed = false;
  Range ordinary;  ///< memory whose reads need no check
};

constexpr std::uint8_t kLargestPiece = 16;  ///< bytes that a lane of a GPU can access at once

struct Running {
  Watch watch = Watch::nothing;
  Watch watchOfBlock = Watch::nothing;  ///< while a thread of it runs
  bool undecided = false;  ///< see decideRaces()
  bool counts = false;  ///< see counts.hpp
  bool scopeIsBlock = false;  ///< of the atomics and fences that the thread is at
  /// Bytes that the thread's statement accesses at once. Twice kLargestPiece: it loads two of three members of a
  /// struct of four, and a GPU loads all four. 0: it loads the third, which has been counted with the two.
  std::uint8_t mostPiece = kLargestPiece;
  int thread = 0;  ///< rank in the block
  Slice slice = 0;
  std::uint64_t actor = 0;  ///< the two, as Record has them
  Slice epochFirst = 0;  ///< of the slices since the block's last barrier
  Slice blockFirst = 0;  ///< of the block's
  Slice blockName = 0;  ///< its first slice, though its numbers may go on elsewhere
  Slice lastSlice = 0;  ///< that the block has
  Slice launch = 0;  ///< no access has this slice: it stands for the launch
  Slice orderedBefore = 0;  ///< all slices before this one came before the launch
  Slice operationFirst = 0;  ///< all slices before this one are of earlier operations, or phases
  std::array<Slices, 2> knownOrdered;  ///< those of two operations before the launch
  Range stack;  ///< of the CUDA thread

  /// [t][l]: the last slice of lane l of its warp that thread t's last __syncwarp() has ordered
  /// before it.
  const Slice (*laneSlices)[kLanes] = nullptr;

  /// The undefined values that the thread holds (undefined.hpp): a bit for each finding.
  Undefined undefined = 0;

  /// The slices of threads that have met others of their warp since the block's last barrier; of
  /// the others smaller numbers than that barrier's.
  const Slice* threadSlices = nullptr;

  static constexpr std::size_t kSites = 2048;
  std::array<SiteCache, kSites> sites;
  std::array<std::uint16_t, kSites> usedSites = {};
  std::size_t usedCount = 0;
  void setActor(int itsThread, Slice itsSlice) {
    thread = itsThread;
    slice = itsSlice;
    actor = Record::actorBits(itsSlice, itsThread);
  }
  SiteCache& siteOf(const void* code) {
    // Calls are five bytes long, so that the sites of a kernel of 8 KiB do not share entries.
    return sites[reinterpret_cast<std::uintptr_t>(code) / 4 % kSites];
  }
};
inline constinit thread_local Running running;

inline bool severalThreads = false;  ///< OS threads that run blocks at once
/// Whether there has been an atomic or a fence of a block's scope.
inline std::atomic<bool> someScopesAreBlocks = false;
/// Whether a __syncwarp() has been of some lanes of a warp.
inline std::atomic<bool> someLanesMeet = false;

/// Whether an earlier operation, which has \p slice, came before the launch though some that were
/// between did not; if so, all its slices are known.
bool isOfOrderedOperation(Slice slice);
/// Whether \p slice, of the launch, is of the running block though numbers of others lie between.
bool isOwnElsewhere(Slice slice);

/// Stops the checks while the checker's own code runs: it may share inlined functions of the
/// standard library with a kernel's file, and those are instrumented.
class Pause {
 public:
  Pause() : watch_(running.watch) { running.watch = Watch::nothing; }
  ~Pause() { running.watch = watch_; }
  Pause(const Pause&) = delete;

 private:
  Watch watch_;
};

/// Whether \p slice is one of the running block since its last barrier.
inline bool isOfEpoch(const Running& r, Slice slice) {
  return slice - r.epochFirst <= r.lastSlice - r.epochFirst;
}
/// Whether \p slice is one of the running block.
inline bool isOfBlock(const Running& r, Slice slice) {
  return slice - r.blockFirst <= r.lastSlice - r.blockFirst;
}

/// Whether \p slice came before the launch; all before \p before did.
inline bool isOfEarlier(const Running& r, Slice before, Slice slice) {
  if (slice < before) return true;
  if (slice >= r.operationFirst) return false;
  return r.knownOrdered[0].hold(slice) || r.knownOrdered[1].hold(slice) ||
         isOfOrderedOperation(slice);
}

/// Whether \p earlier happened before what the running thread does now, by the kernel's own
/// barriers or because its slice is before \p before.
inline bool isOrdered(const Running& r, Slice before, Record earlier) {
  const Slice slice = earlier.slice();
  if (isOfEarlier(r, before, slice)) return true;
  if (isOfEpoch(r, slice)) {
    const int thread = earlier.thread();
    return thread == r.thread || (thread / kLanes == r.thread / kLanes &&
                                  r.laneSlices[r.thread][thread % kLanes] >= slice);
  }
  return isOfBlock(r, slice) || isOwnElsewhere(slice);
}

/// Mistakes that are looked for (launches.cpp) in block \p block of the current launch.
Watch watchOfBlock(std::uint64_t block);

/// The running thread begins a slice (hooks.cpp), which comes after all that it has done; its number.
Slice beginSlice();

}  // namespace nbody::executor::checker
