/// \file
/// For libraries whose device-wide functions run on the host: how they reach device memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_types.hpp"

namespace nbody::executor {

namespace runtime {
class ApiCall;
}

/// Runs \p work as an operation of a stream: it may read and write device memory. \p name is for
/// messages.
void runOnStream(cudaStream_t stream,
                 const char* name,
                 const char* file,
                 int line,
                 std::function<void()> work);

/// While one lives, the calling host thread may read and write device memory. Waits for the
/// device's work first.
class HostView {
 public:
  HostView();
  ~HostView();
  HostView(const HostView&) = delete;

 private:
  std::unique_ptr<runtime::ApiCall> call_;
};

/// The host gets to see these bytes, where they are device memory. \p to: where it puts them
void noteHostReads(const void* to, const void* from, std::size_t bytes);

/// The host has written these bytes of device memory.
void markWritten(void* to, std::size_t bytes);

}  // namespace nbody::executor
