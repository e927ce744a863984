/// \file
/// The host's memory.
#pragma once

#include <cstddef>
#include <string>

namespace nbody {

/// In bytes; free: what can be allocated without swapping.
struct HostMemory {
  std::size_t free;
  std::size_t total;
};

/// From /proc/meminfo; the largest numbers of the type where that cannot be read.
HostMemory hostMemory();

/// Throws BadInput where \p needed bytes of the memory of \p where, "host" or "device", are more
/// than \p free.
/// \param option  that asks for \p bodies
void requireMemory(const std::string& option,
                   std::size_t bodies,
                   const char* where,
                   std::size_t needed,
                   std::size_t free);

}  // namespace nbody
