/// \file
/// Operations of streams, and what is ordered before what in them.
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

/// The names of operations that need not have run when the program ends.
inline constexpr const char* kMallocAsync = "cudaMallocAsync";
inline constexpr const char* kFreeAsync = "cudaFreeAsync";

/// Number of operations of each stream that have been before. Entry kInARow belongs to no stream: it
/// is the most kernels, copies and fills that had to wait for one another.
using VectorClock = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kInARow = 1;

struct Graph;
struct GraphNode;

struct Operation {
  std::string what;  ///< "kernel forcesKernel", "cudaMemcpyAsync"
  Caller caller;
  std::function<void()> run;
  std::vector<std::shared_ptr<Operation>> after;
  std::uint32_t stream = 0;  ///< its number
  std::uint32_t number = 0;  ///< in the stream, from 1
  VectorClock before;  ///< what is ordered before it
  std::uint32_t inARow =
      0;  ///< kernels, copies and fills that had to wait for one another, to this one; 0: it is none
  bool isDone = false;
  bool isRunning = false;
  struct Pages {
    char* begin;
    std::size_t bytes;
  };
  std::vector<Pages> closed;  ///< of pinned memory, which the host may not touch before
  std::shared_ptr<const void> arguments;  ///< of a kernel, with its body
  std::size_t argumentBytes = 0;
  std::vector<const void*> touched;  ///< by a copy or a fill: where they begin
};
using OperationPointer = std::shared_ptr<Operation>;

struct Stream {
  std::uint32_t number = 0;
  std::uint32_t count = 0;  ///< operations so far, those of earlier streams of the number too
  VectorClock clock;  ///< what its next operation follows
  OperationPointer last;
  std::vector<OperationPointer> orphans;  ///< of streams that are no more
  bool isNonBlocking = false;
  Graph* capture = nullptr;  ///< into which its work goes, instead of running
  std::vector<GraphNode*> captured;  ///< what its next work follows there
};

struct Event {
  OperationPointer operation;
  VectorClock clock;
  double seconds = 0;  ///< when it came up
  bool isTimed = true;
  bool isRecorded = false;
  std::vector<GraphNode*> captured;
  Graph* capture = nullptr;
};

/// The stream that a handle means: null is the legacy stream, which waits for all others that are
/// not non-blocking, as they do for it. Null for what is no stream.
Stream* streamOf(cudaStream_t handle);
bool isStream(cudaStream_t handle);
Stream* addStream(bool isNonBlocking);
void removeStream(Stream* stream);

/// Queues or runs work, or adds it to the graph that the stream captures.
OperationPointer enqueueOperation(cudaStream_t stream, std::string what, Caller caller,
                                  std::function<void()> run);
/// Makes the next work in the stream wait for the event.
void waitForEvent(Stream& stream, const Event& event);

/// Runs an operation and what it follows, now.
void runWithEarlier(const OperationPointer& operation);
/// Runs an operation and what it follows. The host has waited for it then.
void finish(const OperationPointer& operation);
void finishStream(Stream* stream);
void finishAll();
bool hasPending();
/// Operations that are still queued, in the order of the program.
std::vector<OperationPointer> pendingOperations();

/// From here on work gets on even where the program waits for none: a host thread may spin on what
/// it writes.
void startProgress();

Stream& legacyStream();
/// Calls \p visit for each stream that waits for the legacy one, as that does for it.
void forEachBlocking(const std::function<void(Stream&)>& visit);

/// Numbers an operation of a stream, and says what is ordered before it.
void setOrder(Operation& operation, Stream& stream);
/// Makes the next work in the stream follow what a clock says, too.
void addToClock(Stream& stream, const VectorClock& clock);
/// Notes that the host has waited for what a clock says (or for a stream, or for all).
void hostWaited(const VectorClock& clock);
void hostWaitedFor(const Stream& stream);
void hostWaitedForAll();

}  // namespace nbody::executor::runtime
