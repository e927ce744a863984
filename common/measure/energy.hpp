/// \file
/// The energy that work takes, by the counters of a GPU's driver and of a processor.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nbody {

/// A count of joules from some time on.
struct EnergyCounter {
  std::string source;  ///< what it counts: a GPU with its memory, or the processors
  std::function<double()> joules;  ///< empty where it cannot be read
  std::string missing;  ///< then why
};

/// Energy and time of one run of a repeated piece of work.
struct Energy {
  double joules = 0;  ///< watts x ms / 1000
  double watts = 0;  ///< mean from the counter's first change to its last
  double ms = 0;  ///< wall time of one run
  double seconds = 0;  ///< from the first change to the last
  int updates = 0;  ///< changes of the counter after the first: its resolution is seconds / updates
  std::string source;
};

/// The GPU of this PCI address, by NVML, the driver's own library, which counts since the driver was
/// loaded.
EnergyCounter nvmlEnergyCounter(const std::string& pciAddress);

/// The GPU in use; of the executor why there is none.
EnergyCounter deviceEnergyCounter();

/// The processors of this machine, by RAPL.
/// \param folder  with a folder for each domain
EnergyCounter hostEnergyCounter(const std::string& folder = "/sys/class/powercap");

/// Runs \p work for \p seconds and reads the counter meanwhile. \p work must end only when its GPU
/// work has. The work before the counter's first change does not count. Returns nothing if the
/// counter changed less than three times.
/// \param runs  of what the energy is of, in one call of \p work
std::optional<Energy> measureEnergy(const EnergyCounter& counter, const std::function<void()>& work,
                                    int runs, double seconds);

}  // namespace nbody
