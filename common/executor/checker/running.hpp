/// \file
/// State of the code that an OS thread runs, and whether an earlier access is ordered before it.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

struct Array;

/// A bit for each finding of an undefined value that has not reached a result yet. Values of the
/// program may also have bits from kFindings on (nvcc/undefined_values.cpp).
using Undefined = std::uint64_t;
constexpr int kFindings = 32;
/// Bit of Running::undefined: the next write stores the value that the thread has just read there.
constexpr Undefined kKeepsValue = Undefined{1} << 63;

struct Range {
  const char* begin = nullptr;
  std::size_t bytes = 0;

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - begin) < bytes;
  }
};

/// The struct that a thread copies. Its members may be undefined.
struct StructCopy {
  Range from;
  bool foundUnwritten = false;  ///< some members are undefined
  std::uint64_t small = 0;  ///< bytes of members of one or two bytes, a bit each
  bool remembersSmall = false;  ///< whether such members are remembered if they are undefined
};

struct Slices {
  Slice first = 0;
  Slice count = 0;

  bool hold(Slice slice) const { return slice - first < count; }
};

/// Mistakes that the checker looks for in the running code.
enum class Watch : std::uint8_t {
  nothing,  ///< code of the scheduler or the host
  bounds,  ///< out of bounds and unwritten memory
  races,  ///< all of these, and races
};

/// The memory that an instruction of a kernel used last, which it most often uses next.
struct SiteCache {
  const char* begin = nullptr;  ///< start of the array
  std::size_t bytes = 0;
  const Slice* covered = nullptr;  ///< see Array
  const std::uint8_t* written = nullptr;
  const Last* last = nullptr;
  std::uint64_t bytesRead = 0;  ///< not yet added to the array's count
  Array* array = nullptr;
  std::uint32_t code = 0;
  std::uint16_t site = 0;
  bool isUsed = false;
  Range ordinary;  ///< memory whose reads need no check
};

constexpr std::uint8_t kLargestPiece = 16;  ///< bytes that a lane of a GPU can access at once

struct Running {
  Watch watch = Watch::nothing;
  Watch watchOfBlock = Watch::nothing;  ///< used while one of its threads runs
  bool undecided = false;  ///< see decideRaces()
  bool counts = false;  ///< see counts.hpp
  bool scopeIsBlock = false;  ///< scope of the thread's current atomic or fence
  /// Bytes that the thread's statement accesses at once. Twice kLargestPiece: it loads two of three
  /// members of a struct of four, and a GPU loads all four. 0: it loads the third, which was
  /// counted with the two.
  std::uint8_t mostPiece = kLargestPiece;
  int thread = 0;  ///< rank in the block
  Slice slice = 0;
  std::uint64_t actor = 0;  ///< thread and slice, as in Record
  Slice epochFirst = 0;  ///< first slice since the block's last barrier
  Slice blockFirst = 0;  ///< first slice of the block
  Slice blockName = 0;  ///< first slice of the block, even if its numbers continue elsewhere
  Slice lastSlice = 0;  ///< last slice of the block
  Slice launch = 0;  ///< number of the launch, which no access has
  Slice orderedBefore = 0;  ///< all slices before this one came before the launch
  Slice operationFirst = 0;  ///< all slices before this one are of earlier operations or phases
  std::array<Slices, 2> knownOrdered;  ///< slices of two operations before the launch
  Range stack;  ///< stack of the CUDA thread

  /// [t][l]: last slice of lane l that thread t's last __syncwarp() has ordered before t.
  const Slice (*laneSlices)[kLanes] = nullptr;

  /// Undefined values that the thread holds (undefined.hpp): a bit per finding.
  Undefined undefined = 0;
  Undefined passed = 0;  ///< those of the value that it gives to other lanes
  bool holdsUndefined = false;  ///< some thread of the block may hold one
  bool hasStored =
      false;  ///< something is known of what threads of the block have stored in their stacks
  bool isResumed = false;  ///< the block has rested, and what was known is forgotten
  StructCopy copy;

  /// Slices of threads that have met others of their warp since the block's last barrier. Those of
  /// other threads are smaller than that barrier's.
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
    // Calls are five bytes long, so sites of a kernel of 8 KiB do not share entries.
    return sites[reinterpret_cast<std::uintptr_t>(code) / 4 % kSites];
  }
};
inline constinit thread_local Running running;

/// Memory that queued work will use. Host code that touches it calls \p touched, which the runtime
/// sets. Checks of a page's protection would miss parts of pages.
struct HostWatch {
  std::atomic<const char*> begin = nullptr;
  std::atomic<std::size_t> bytes = 0;  ///< 0: no memory
  void (*touched)(const void* address, std::size_t bytes, bool writes, const void* code) = nullptr;

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) -
                                    begin.load(std::memory_order_relaxed)) <
           bytes.load(std::memory_order_relaxed);
  }
};
inline constinit HostWatch hostWatch;
/// Code of the runtime that the calling thread is in, which is not the program's.
inline thread_local int callsOfRuntime = 0;

/// True if host code has written addresses of functions or virtual tables of the host
/// into memory that kernels use.
inline std::atomic<bool> someCodeIsHosts = false;

inline bool severalThreads = false;  ///< several OS threads run blocks at the same time
/// True if an atomic or a fence has had block scope.
inline std::atomic<bool> someScopesAreBlocks = false;
/// True if a __syncwarp() has been of some lanes of a warp.
inline std::atomic<bool> someLanesMeet = false;

/// Returns whether an earlier operation with \p slice is ordered before the launch although later
/// ones are not. Then all its slices are known.
bool isOfOrderedOperation(Slice slice);
/// Returns whether \p slice, of the launch, belongs to the running block although its numbers are
/// not consecutive.
bool isOwnElsewhere(Slice slice);

/// Stops the checks while the checker's own code runs, because it may share instrumented inline
/// functions of the standard library with a kernel.
class Pause {
 public:
  Pause() : watch_(running.watch) { running.watch = Watch::nothing; }
  ~Pause() { running.watch = watch_; }
  Pause(const Pause&) = delete;

 private:
  Watch watch_;
};

/// Makes state of an OS thread. A kernel's access may be the first that needs it, and the first
/// values are no writes of the kernel.
template <class T>
std::unique_ptr<T> makeState() {
  const Pause pause;
  return std::make_unique<T>();
}

/// Returns whether \p slice is one of the running block since its last barrier.
inline bool isOfEpoch(const Running& r, Slice slice) {
  return slice - r.epochFirst <= r.lastSlice - r.epochFirst;
}
/// Returns whether \p slice is one of the running block.
inline bool isOfBlock(const Running& r, Slice slice) {
  return slice - r.blockFirst <= r.lastSlice - r.blockFirst;
}

/// Returns whether \p slice came before the launch; all before \p before did.
inline bool isOfEarlier(const Running& r, Slice before, Slice slice) {
  if (slice < before) return true;
  if (slice >= r.operationFirst) return false;
  return r.knownOrdered[0].hold(slice) || r.knownOrdered[1].hold(slice) ||
         isOfOrderedOperation(slice);
}

/// Returns whether \p earlier is ordered before the running thread, with the kernel's own barriers
/// or because its slice is before \p before.
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

/// Returns the mistakes to look for in block \p block of the current launch (launches.cpp).
Watch watchOfBlock(std::uint64_t block);

/// Begins a slice of the running thread (hooks.cpp), after its earlier accesses. Returns it.
Slice beginSlice();

}  // namespace nbody::executor::checker
