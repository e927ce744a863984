/// \file
/// Access to device memory for libraries whose device-wide functions run on the host.
#pragma once

#include <cstddef>
#include <functional>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor {

/// Runs \p work as an operation of a stream, which may access device memory. name: in messages.
void runOnStream(cudaStream_t stream, const char* name, const char* file, int line,
                 std::function<void()> work);

/// Tells the checker that the host wrote these bytes of device memory.
void markWritten(void* to, std::size_t bytes);

}  // namespace nbody::executor
