/// \file
/// What the host's memory can still take.
#pragma once

#include <cstddef>

namespace nbody {

/// Bytes: that a program may still allocate without swapping, and all there are.
struct HostMemory {
  std::size_t free;
  std::size_t total;
};

/// From /proc/meminfo; the largest numbers there are where that cannot be read.
HostMemory hostMemory();

}  // namespace nbody
