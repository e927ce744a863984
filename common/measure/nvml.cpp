// NVML, the library of NVIDIA's driver, opened as the program runs: nothing of it is needed to build.
#include <dlfcn.h>

#include "measure/energy.hpp"

namespace nbody {

namespace {

using NvmlDevice = void*;

/// What the driver's library has under a name; null where it lacks it.
template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

constexpr int kSuccess = 0;

}  // namespace

EnergyCounter nvmlEnergyCounter(const std::string& pciAddress) {
  EnergyCounter counter{.source = "NVML, the GPU with its memory", .joules = {}, .missing = {}};
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    counter.missing = "libnvidia-ml.so.1, NVIDIA's NVML, is missing";
    return counter;
  }
  auto* start = function<int()>(library, "nvmlInit_v2");
  auto* find = function<int(const char*, NvmlDevice*)>(library, "nvmlDeviceGetHandleByPciBusId_v2");
  auto* read = function<int(NvmlDevice, unsigned long long*)>(
      library, "nvmlDeviceGetTotalEnergyConsumption");
  NvmlDevice device = nullptr;
  unsigned long long millijoules = 0;
  if (!start || !find || !read) counter.missing = "this NVML is too old to count energy";
  else if (start() != kSuccess || find(pciAddress.c_str(), &device) != kSuccess)
    counter.missing = "NVML does not find the GPU " + pciAddress;
  else if (read(device, &millijoules) != kSuccess)
    counter.missing = "NVML does not count the energy of this GPU";
  if (!counter.missing.empty()) return counter;
  counter.joules = [=, last = millijoules]() mutable {
    unsigned long long now = 0;
    if (read(device, &now) == kSuccess) last = now;
    return static_cast<double>(last) * 1e-3;
  };
  return counter;
}

}  // namespace nbody
