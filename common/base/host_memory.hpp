/// \file
/// The host's memory.
#pragma once

#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

namespace nbody {

/// In bytes; free: what can be allocated without swapping.
struct HostMemory {
  std::size_t free;
  std::size_t total;
};

/// From /proc/meminfo; the largest numbers of the type where that cannot be read.
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

}  // namespace nbody
