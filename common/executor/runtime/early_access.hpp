/// \file
/// Host code that touches memory while work that may use it is running.
#pragma once

#include <cstddef>

#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

/// Closes the pinned memory that a kernel's arguments point to, until it runs.
void closeMapped(Operation& kernel);

/// Closes the whole pages of pinned memory among these bytes until the operation runs: completely
/// if it writes them, only for writes if it reads them.
void closePinned(Operation& operation, const void* begin, std::size_t bytes, bool isWritten);

/// Reports values that the host read before the operation changed them. \p nobodyWaits: the
/// operation ran by itself, so the host may be reading until it changes.
void compareEarlyReads(const Operation& operation, bool nobodyWaits);

}  // namespace nbody::executor::runtime
