/// \file
/// The host's memory.
#pragma once

#include <cstddef>

namespace nbody {

/// In bytes; free: what can be allocated without swapping.
struct HostMemory {
  std::size_t free;
  std::size_t total;
};

/// From /proc/meminfo; the largest numbers of the type where that cannot be read.
HostMemory hostMemory();

}  // namespace nbody
