#include "base/host_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace nbody {

HostMemory hostMemory() {
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
