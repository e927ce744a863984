/// \file
/// Pinned memory that an asynchronous copy has yet to read or write.
#pragma once

#include <cstddef>

#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

/// Closes the whole pages of pinned memory among these bytes until the operation runs: to all of
/// host code where it writes them, to writes where it reads them.
void closePinned(Operation& operation, const void* begin, std::size_t bytes, bool isWritten);

}  // namespace nbody::executor::runtime
