/// \file
/// Access to device memory for libraries whose device-wide functions run on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Number of openings that the calling host thread is in, during which it may access device memory.
inline thread_local int openings = 0;

/// Returns whether the calling thread may access device memory: in kernels, or after opening it.
inline bool isMemoryOpen() { return currentThread.inKernel || openings > 0; }

/// Runs \p work, which reads and writes device memory, as an operation of \p stream. name: in
/// messages.
void runOpened(cudaStream_t stream, const char* name, Caller caller, std::function<void()> work);

/// Tells the checker that the host wrote these bytes of device memory.
void markWritten(void* to, std::size_t bytes);
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
