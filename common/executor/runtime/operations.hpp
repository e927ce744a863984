/// \file
/// Operations of streams, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor::runtime {

/// Name of operations that need not have run when the program ends.
inline constexpr const char* kMallocAsync = "cudaMallocAsync";
inline constexpr const char* kFreeAsync = "cudaFreeAsync";

/// Number of earlier operations of each stream. Entry kInARow belongs to no stream: it is the
/// largest number of kernels, copies and fills that had to wait for one another.
using VectorClock = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kInARow = 1;

struct Graph;
struct GraphNode;

/// Memory that an operation will use, as far as that is known before it runs.
struct Uses {
  enum class How { read, written, unknown };
  struct Memory {
    const void* begin;
    std::size_t bytes;
    How how;
  };
  std::vector<Memory> memory;  ///< of a copy or a fill; of a kernel, the host's
  std::shared_ptr<const void> arguments = {};  ///< arguments of a kernel, with its body
  std::size_t argumentBytes = 0;
};

struct Operation {
  std::string what;  ///< "kernel forcesKernel", "cudaMemcpyAsync"
  Caller caller;
  std::function<void()> run;
  Uses uses;
  std::vector<std::shared_ptr<Operation>> after;
  std::uint32_t stream = 0;  ///< number of the stream
  std::uint32_t number = 0;  ///< in the stream, from 1
  VectorClock before;  ///< operations that are ordered before it
  std::uint32_t inARow =
      0;  ///< kernels, copies and fills that had to wait for one another, with this one; 0: none
  bool isDone = false;
  bool isRunning = false;
  bool isAskedFor = false;  ///< the program has asked whether it is done
  struct Pages {
    char* begin;
    std::size_t bytes;
  };
  std::vector<Pages> closed;  ///< pages that the host may not touch before
};
using OperationPointer = std::shared_ptr<Operation>;

struct Stream {
  std::uint32_t number = 0;
  std::uint32_t count = 0;  ///< operations so far, also of earlier streams of this number
  VectorClock clock;  ///< operations that its next one follows
  OperationPointer last;
  std::vector<OperationPointer> orphans;  ///< queued operations of destroyed streams
  bool isNonBlocking = false;
  int priority = 0;
  Graph* capture = nullptr;  ///< graph that its work goes into instead of running
  std::vector<GraphNode*> captured;  ///< nodes that its next work follows
};

struct Event {
  OperationPointer operation;
  VectorClock clock;
  /// Time when it happened. Its operation keeps it too, because the program may record the event
  /// again or destroy it before that operation runs.
  std::shared_ptr<double> seconds = {};
  bool isTimed = true;
  std::vector<GraphNode*> captured;
  Graph* capture = nullptr;
};

/// Returns the stream of a handle. Null means the legacy stream, which waits for all streams that
/// are not non-blocking, and they wait for it. Returns null if there is no such stream.
Stream* streamOf(cudaStream_t handle);
bool isStream(cudaStream_t handle);
Stream* addStream(bool isNonBlocking);
void removeStream(Stream* stream);

/// Queues or runs work, or adds it to the graph that the stream is captured into. Queued work closes
/// the pinned memory that it uses to the host, and begins by itself if the program does not wait.
OperationPointer enqueueOperation(cudaStream_t stream, std::string what, Caller caller,
                                  std::function<void()> run, Uses uses = {});
/// Makes the next work in the stream wait for the event.
void waitForEvent(Stream& stream, const Event& event);

/// Runs an operation and what it follows, now.
void runWithEarlier(const OperationPointer& operation);
/// Runs an operation and what it follows. The host has then waited for it.
void finish(const OperationPointer& operation);
void finishStream(Stream* stream);
void finishAll();
bool hasPending();
/// Returns operations that are still queued, in the order of the program.
std::vector<OperationPointer> pendingOperations();

// Host code that touches memory while work that may use it is running; in faults.cpp.

/// Closes the host's memory that the operation uses until it runs: of a kernel, what its arguments
/// point to; of a copy or fill, all bytes if it writes them, only for writes if it reads them. The
/// checker sees accesses by the program's code. Others are only seen in whole pages of pinned memory.
void closeUsed(Operation& operation);
/// Reports values that the host read before the operation changed them. \p nobodyWaits: the
/// operation ran by itself, so the host may be reading until it changes.
void compareEarlyReads(const Operation& operation, bool nobodyWaits);

/// Returns whether the running work runs without a wait of the program.
bool worksByItself();

Stream& legacyStream();
/// Calls \p visit for each stream that waits for the legacy stream and vice versa.
void forEachBlocking(const std::function<void(Stream&)>& visit);

/// Numbers an operation of a stream, and sets what is ordered before it.
void setOrder(Operation& operation, Stream& stream);
/// Makes the next work in the stream also follow what a clock contains.
void addToClock(Stream& stream, const VectorClock& clock);
/// Notes that the host has waited for what a clock contains (or for a stream, or for all).
void hostWaited(const VectorClock& clock);
void hostWaitedFor(const Stream& stream);
void hostWaitedForAll();

}  // namespace nbody::executor::runtime
