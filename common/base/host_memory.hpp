/// \file
/// The host's memory.
#pragma once

#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

#include "base/bad_input.hpp"

namespace nbody {

/// Sizes in bytes. free: what can be allocated without swapping.
struct HostMemory {
  std::size_t free;
  std::size_t total;
};

/// Reads /proc/meminfo; returns the largest numbers of the type if it cannot be read.
inline HostMemory hostMemory() {
  constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();
  HostMemory memory = {kUnknown, kUnknown};
  std::ifstream information("/proc/meminfo");
  std::string name;
  std::size_t kibibytes = 0;
  std::string unit;
  while (information >> name >> kibibytes && std::getline(information, unit)) {
    if (name == "MemTotal:") memory.total = kibibytes * 1024;
    if (name == "MemAvailable:") memory.free = kibibytes * 1024;
  }
  return memory;
}

/// Throws BadInput if \p needed bytes are more than the \p free bytes of memory at \p where, which
/// is "host" or "device".
/// \param option  option that asks for \p bodies
inline void requireMemory(const std::string& option, std::size_t bodies, const char* where,
                          std::size_t needed, std::size_t free) {
  if (needed <= free) return;
  throw BadInput(option + ": " + std::to_string(bodies) + " bodies need " + std::to_string(needed) +
                 " bytes of " + where + " memory, " + std::to_string(free) + " are free");
}

}  // namespace nbody
