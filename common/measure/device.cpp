#include "measure/device.hpp"

#include <fstream>
#include <thread>

namespace nbody {

int lanesPerMultiprocessor(int major, int minor) {
  const bool sixtyFour = (major == 6 && minor == 0) || major == 7 || (major == 8 && minor == 0);
  return sixtyFour ? 64 : 128;
}

static std::string processorName() {
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "CPU";
}

Device hostDevice() {
  Device device;
  device.name =
      processorName() + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
  device.kind = "host";
  return device;
}

#ifndef NBODY_GPU
Device probeDevice(bool) {
  Device device = hostDevice();
  device.kind = "executor";
  return device;
}
#endif

}  // namespace nbody
