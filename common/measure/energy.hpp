/// \file
/// The energy that work takes, from the counters of a GPU's driver and of a processor.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nbody {

/// A counter of joules, from an unknown start on.
struct EnergyCounter {
  std::string source;  ///< device that it counts: a GPU with its memory, or the processors
  std::function<double()> joules;  ///< reads the counter; empty if it cannot be read
  std::string missing;  ///< why it cannot be read; or empty
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

/// Returns the counter of the GPU with this PCI address, from NVML, the driver's library.
EnergyCounter nvmlEnergyCounter(const std::string& pciAddress);

/// Returns the counter of the GPU in use; for the executor, why there is none.
EnergyCounter deviceEnergyCounter();

/// Returns the counter of this machine's processors (RAPL).
/// \param folder  has a folder for each domain of RAPL
EnergyCounter hostEnergyCounter(const std::string& folder = "/sys/class/powercap");

/// Repeats \p work for \p seconds and reads the counter meanwhile. \p work must wait until its GPU work has
/// ended. Work before the counter's first change does not count. Returns nothing if the counter changed
/// less than three times.
/// \param runs     runs in one call of \p work; the result is for one run
std::optional<Energy> measureEnergy(const EnergyCounter& counter, const std::function<void()>& work,
                                    int runs, double seconds);

}  // namespace nbody
