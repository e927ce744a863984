/// \file
/// How the host's versions of CUDA's libraries reach memory of the device.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "executor/runtime/api.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// How many openings the calling host thread is in: device memory is open to it.
inline thread_local int openings = 0;

/// Whether the calling thread may read and write device memory as it is: in kernels, or opened.
inline bool isMemoryOpen() { return currentThread.inKernel || openings > 0; }

/// While one lives the calling host thread may read and write device memory, where \p isNeeded.
class OpenMemory {
 public:
  explicit OpenMemory(bool isNeeded = true) : isFirst_(isNeeded && !isMemoryOpen()) {
    if (!isFirst_) return;
    view_ = std::make_unique<HostView>();
    ++openings;
  }
  ~OpenMemory() {
    if (isFirst_) --openings;
  }
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;

 private:
  bool isFirst_;
  std::unique_ptr<HostView> view_;
};

/// Tells the checker that the running thread of a kernel moves objects whole, with their padding.
void setMovesObjects(bool moves);
struct MovingObjects {
  MovingObjects() { setMovesObjects(true); }
  ~MovingObjects() { setMovesObjects(false); }
  MovingObjects(const MovingObjects&) = delete;
};

/// Runs \p work, which reads and writes device memory, as an operation of \p stream.
template <class Work>
void runOpened(cudaStream_t stream, const char* name, const Caller& caller, Work work) {
  runOnStream(stream, name, caller.file, caller.line, [work]() mutable {
    ++openings;
    work();
    --openings;
  });
}

/// Tells the checker that \p count elements from \p first on have been written, where that is memory.
template <class T>
void noteWritten(T* first, std::ptrdiff_t count) {
  if (!currentThread.inKernel && count > 0)
    markWritten(const_cast<std::remove_cv_t<T>*>(first),
                static_cast<std::size_t>(count) * sizeof(T));
}
template <class Iterator>
std::enable_if_t<!std::is_pointer_v<Iterator>> noteWritten(const Iterator&, std::ptrdiff_t) {}

/// Tells it that host code has put \p count elements from \p first on at \p to, where the first are
/// device memory and the others are not.
template <class From, class To>
void noteCopied(const From& first, std::ptrdiff_t count, const To& to) {
  if (currentThread.inKernel || count <= 0) return;
  if constexpr (std::is_pointer_v<From>) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(*first);
    if constexpr (std::is_pointer_v<To>) noteHostReads(to, first, bytes);
    else noteHostReads(nullptr, first, bytes);
  }
}

}  // namespace nbody::executor
