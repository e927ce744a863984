#include "driver/memory_check.hpp"

#include "base/bad_input.hpp"
#include "base/host_memory.hpp"
#include "cuda/device_array.hpp"

namespace nbody {

void requireMemory(const std::string& option,
                   std::size_t bodies,
                   const char* where,
                   std::size_t needed,
                   std::size_t free) {
  if (needed <= free) return;
  throw BadInput(option + ": " + std::to_string(bodies) + " bodies need " + std::to_string(needed) +
                 " bytes of " + where + " memory, " + std::to_string(free) + " are free");
}

void checkMemory(const RunOptions& options, const Program& program) {
  // Initial and final bodies (64 bytes each), accelerations, and the copies on their way to the
  // device.
  constexpr std::size_t kHostBytesPerBody = 224;
  const std::size_t count = options.bodies;
  auto require = [&](const char* where, std::size_t needed, std::size_t free) {
    const std::string option = options.input.empty() ? "--bodies" : options.input;
    requireMemory(option, count, where, needed, free);
  };
#ifdef NBODY_GPU
  require("host", count * kHostBytesPerBody, hostMemory().free);
  if (program.deviceBytesPerBody > 0)
    require("device", count * program.deviceBytesPerBody, freeDeviceBytes());
#else
  require("host", count * (kHostBytesPerBody + program.deviceBytesPerBody), hostMemory().free);
#endif
}

}  // namespace nbody
