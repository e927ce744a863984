/// \file
/// Host code that touches memory while work that may use it is under way.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

/// Closes the pinned memory that a kernel's arguments point to, until it runs.
void closeMapped(Operation& kernel);

/// Closes the whole pages of pinned memory among these bytes until the operation runs: to all of
/// host code where it writes them, to writes where it reads them.
void closePinned(Operation& operation, const void* begin, std::size_t bytes, bool isWritten);

/// A touch of closed memory by host code. Empty: it may go on, the memory is open now. Otherwise
/// the operations that speak against it: "the kernel step of main.cu:12, ...".
std::string whatForbids(const Allocation& allocation, const char* address, bool writes,
                        const std::function<std::string()>& where);

/// Reports what the host has read before the operation, which has changed it. \p nobodyWaits: the
/// operation ran by itself, so the host may be reading until it changes.
void compareEarlyReads(const Operation& operation, bool nobodyWaits);

}  // namespace nbody::executor::runtime
