/// \file
/// For libraries whose device-wide functions run on the host: how they reach device memory.
#pragma once

#include <cstddef>
#include <functional>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor {

/// Runs \p work as an operation of a stream: it may read and write device memory. \p name is for
/// messages.
void runOnStream(cudaStream_t stream, const char* name, const char* file, int line,
                 std::function<void()> work);

/// The host has written these bytes of device memory.
void markWritten(void* to, std::size_t bytes);

}  // namespace nbody::executor
