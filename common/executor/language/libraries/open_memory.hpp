/// \file
/// Gives host versions of CUDA's libraries access to device memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include "executor/runtime/api.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Number of openings that the calling host thread is in, during which it may access device memory.
inline thread_local int openings = 0;

/// Returns whether the calling thread may access device memory: in kernels, or after opening it.
inline bool isMemoryOpen() { return currentThread.inKernel || openings > 0; }

/// Runs \p work, which reads and writes device memory, as an operation of \p stream.
template <class Work>
void runOpened(cudaStream_t stream, const char* name, const Caller& caller, Work work) {
  runOnStream(stream, name, caller.file, caller.line, [work]() mutable {
    ++openings;
    work();
    --openings;
  });
}

/// Tells the checker that \p count elements from \p first on were written, if that is memory.
template <class T>
void noteWritten(T* first, std::ptrdiff_t count) {
  if (!currentThread.inKernel && count > 0)
    markWritten(const_cast<std::remove_cv_t<T>*>(first),
                static_cast<std::size_t>(count) * sizeof(T));
}
template <class Iterator>
std::enable_if_t<!std::is_pointer_v<Iterator>> noteWritten(const Iterator&, std::ptrdiff_t) {}

}  // namespace nbody::executor
