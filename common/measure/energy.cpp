#include "measure/energy.hpp"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "measure/timing.hpp"

namespace nbody {

namespace {

/// A domain of RAPL: microjoules, which begin again at 0 after the most that the counter holds.
struct Domain {
  std::string file;
  double most = 0;
  double last = 0;
  double wrapped = 0;
};

/// Returns the first word of a file, or the number that it is; nothing if there is none.
template <class Value>
std::optional<Value> firstIn(const std::string& path) {
  std::ifstream file(path);
  Value value;
  if (file >> value) return value;
  return std::nullopt;
}

double microjoules(Domain& domain) {
  const double now = firstIn<double>(domain.file).value_or(domain.last);
  if (now < domain.last) domain.wrapped += domain.most;
  domain.last = now;
  return domain.wrapped + now;
}

/// The processors' domains; those within one of them, the cores' say, are counted in it.
std::vector<std::string> packagesIn(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (firstIn<std::string>(entry.path() / "name").value_or("").starts_with("package"))
      found.push_back(entry.path());
  return found;
}

// NVML, the library of NVIDIA's driver, is opened as the program runs: nothing of it is needed to build.

using NvmlDevice = void*;

/// Function of that name in the driver's library; null if it is missing.
template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

constexpr int kSuccess = 0;

struct Change {
  double ms;
  double joules;
};

constexpr auto kPoll =
    std::chrono::milliseconds(1);  // far more often than a driver's counter changes
constexpr int kLeastChanges = 3;

}  // namespace

EnergyCounter hostEnergyCounter(const std::string& folder) {
  auto domains = std::make_shared<std::vector<Domain>>();
  EnergyCounter counter{.source = "RAPL, the processors", .joules = {}, .missing = {}};
  for (const std::string& package : packagesIn(folder)) {
    const std::string file = package + "/energy_uj";
    const auto now = firstIn<double>(file);
    if (!now) counter.missing = file + " cannot be read; on most systems only root may read it";
    domains->push_back(
        {file, firstIn<double>(package + "/max_energy_range_uj").value_or(0), now.value_or(0)});
  }
  if (domains->empty()) counter.missing = folder + " has no processor's counter";
  if (!counter.missing.empty()) return counter;
  counter.joules = [domains] {
    double sum = 0;
    for (Domain& domain : *domains) sum += microjoules(domain);
    return sum * 1e-6;
  };
  return counter;
}

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

std::optional<Energy> measureEnergy(const EnergyCounter& counter, const std::function<void()>& work,
                                    int runs, double seconds) {
  std::vector<Change> changes;
  std::jthread reader([&](std::stop_token end) {
    for (double last = counter.joules(); !end.stop_requested();
         std::this_thread::sleep_for(kPoll)) {
      const double now = counter.joules();
      if (now != last) changes.push_back({nowMs(), now});
      last = now;
    }
  });
  const double begin = nowMs();
  int calls = 0;
  do {
    work();
    ++calls;
  } while (nowMs() - begin < 1e3 * seconds);
  const double ms = (nowMs() - begin) / calls / runs;
  reader.request_stop();
  reader.join();
  if (changes.size() < kLeastChanges) return std::nullopt;
  const double span = changes.back().ms - changes.front().ms;
  const double watts = (changes.back().joules - changes.front().joules) / (span * 1e-3);
  return Energy{.joules = watts * ms * 1e-3,
                .watts = watts,
                .ms = ms,
                .seconds = span * 1e-3,
                .updates = static_cast<int>(changes.size()) - 1,
                .source = counter.source};
}

#ifndef NBODY_GPU
EnergyCounter deviceEnergyCounter() {
  return {.source = "",
          .joules = {},
          .missing = "the CPU executor checks kernels; its energy says nothing about a GPU's"};
}
#endif

}  // namespace nbody
