#include "driver/memory_check.hpp"

#include "base/bad_input.hpp"
#include "base/host_memory.hpp"
#include "cuda/device_array.hpp"

namespace nbody {

void checkMemory(const RunOptions& options, const Program& program) {
  // Initial and final bodies (64 bytes each), accelerations, and the copies on their way to the
  // device.
  constexpr std::size_t kHostBytesPerBody = 224;
  const std::size_t count = options.bodies;
  auto refuse = [&](const char* where, std::size_t needed, std::size_t free) {
    if (needed <= free) return;
    throw BadInput((options.input.empty() ? "--bodies" : options.input) + ": " +
                   std::to_string(count) + " bodies need " + std::to_string(needed) + " bytes of " +
                   where + " memory, " + std::to_string(free) + " are free");
  };
#ifdef NBODY_GPU
  refuse("host", count * kHostBytesPerBody, hostMemory().free);
  if (program.deviceBytesPerBody > 0)
    refuse("device", count * program.deviceBytesPerBody, freeDeviceBytes());
#else
  refuse("host", count * (kHostBytesPerBody + program.deviceBytesPerBody), hostMemory().free);
#endif
}

}  // namespace nbody
